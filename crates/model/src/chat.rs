//! Conversations, and the template by which a model wants them written.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use campanile_language::{Language, calendar};
use minijinja::{Environment, Error, ErrorKind};
use minijinja_contrib::pycompat::unknown_method_callback;
use serde::{Deserialize, Serialize};

use crate::error::ModelError;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The instructions.
    System,
    /// The reader, with the evidence.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who says it.
    pub role: Role,
    /// The text.
    pub content: String,
}

impl ChatMessage {
    /// A message.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }

    /// The instructions, turns of (what the user said, what the model replied) that have been, and
    /// what the user says now.
    pub fn conversation<'a>(
        system: &str,
        turns: impl IntoIterator<Item = (&'a str, &'a str)>,
        user: &str,
    ) -> Vec<Self> {
        let mut messages = vec![Self::new(Role::System, system)];
        for (said, replied) in turns {
            messages.push(Self::new(Role::User, said));
            messages.push(Self::new(Role::Assistant, replied));
        }
        messages.push(Self::new(Role::User, user));
        messages
    }

    /// The message without any of the texts `unwanted`, nor any that appear once others are gone.
    pub(crate) fn without(&self, unwanted: &[String]) -> Self {
        let mut content = self.content.clone();
        let present = |content: &str| {
            let found = unwanted.iter().find(|text| content.contains(text.as_str()));
            found.cloned()
        };
        while let Some(text) = present(&content) {
            content = content.replace(&text, "");
        }
        Self { role: self.role, content }
    }
}

/// The most steps that a template may take: it comes from a model's file and is not to be trusted
/// with our time.
// Each message takes some steps of its own: with fewer, long conversations would be refused, with more, a hostile
// file holds a page's one thread for longer.
const TEMPLATE_STEPS: u64 = 100_000;

const TEMPLATE_NAME: &str = "chat_template";

/// A model's chat template, in the Jinja language with the methods of Python's strings.
///
/// A template sees `messages`, `add_generation_prompt` (true), `bos_token` and `eos_token`, the
/// flags that [`ChatTemplate::with_flag`] sets, and the function `raise_exception`. There are no
/// tools.
#[derive(Clone, Debug)]
pub struct ChatTemplate {
    environment: Environment<'static>,
    flags: BTreeMap<String, bool>,
}

/// The texts of a model's tokens around a conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeTokens {
    pub(crate) begin: Option<String>,
    pub(crate) end: Option<String>,
}

impl ChatTemplate {
    /// Reads the source of a template.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where it is damaged or uses what is not known here.
    pub fn new(source: &str) -> Result<Self, ModelError> {
        let mut environment = Environment::new();
        // As templates are read where they are written.
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_fuel(Some(TEMPLATE_STEPS));
        // A prompt is text for a model and not HTML.
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        // Templates are written for Python, whose strings have methods that Jinja has not.
        environment.set_unknown_method_callback(unknown_method_callback);
        environment.add_function("raise_exception", |message: String| {
            Err::<String, _>(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment
            .add_template_owned(TEMPLATE_NAME, source.to_owned())
            .map_err(ModelError::chat_template)?;
        Ok(Self { environment, flags: BTreeMap::new() })
    }

    /// Sets a flag that the template knows, such as Qwen3's `enable_thinking`.
    #[must_use]
    pub fn with_flag(mut self, name: impl Into<String>, value: bool) -> Self {
        self.flags.insert(name.into(), value);
        self
    }

    /// Gives the template today's date through `strftime_now`.
    ///
    /// Without it the function does not exist, which most templates that use it provide for: a
    /// prompt is then the same every day.
    #[must_use]
    pub fn with_date(mut self, date: ChatDate) -> Self {
        self.environment.add_function("strftime_now", move |pattern: String| {
            date.format(&pattern).ok_or_else(|| {
                let reason = format!("strftime_now: \"{pattern}\" asks for more than a date");
                Error::new(ErrorKind::InvalidOperation, reason)
            })
        });
        self
    }

    /// Writes a conversation, up to the place where the model's reply begins.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where the template refuses it.
    pub fn render(&self, messages: &[ChatMessage]) -> Result<String, ModelError> {
        self.render_between(messages, &EdgeTokens::default())
    }

    /// [`ChatTemplate::render`] with the texts of the tokens that begin and end a text.
    pub(crate) fn render_between(
        &self,
        messages: &[ChatMessage],
        edges: &EdgeTokens,
    ) -> Result<String, ModelError> {
        #[derive(Serialize)]
        struct Context<'a> {
            messages: &'a [ChatMessage],
            add_generation_prompt: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            bos_token: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            eos_token: Option<&'a str>,
            #[serde(flatten)]
            flags: &'a BTreeMap<String, bool>,
        }
        let context = Context {
            messages,
            add_generation_prompt: true,
            bos_token: edges.begin.as_deref(),
            eos_token: edges.end.as_deref(),
            flags: &self.flags,
        };
        self.environment
            .get_template(TEMPLATE_NAME)
            .and_then(|template| template.render(context))
            .map_err(ModelError::chat_template)
    }
}

/// A day, for templates that ask for today's: this crate has no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChatDate {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl ChatDate {
    /// Writes the day as C's `strftime` does; `None` for what is no part of a date.
    fn format(self, pattern: &str) -> Option<String> {
        // In the locale `C`, which is English.
        let months = calendar::months(Language::English);
        let month = months.get(usize::from(self.month).checked_sub(1)?)?.first();
        let weekday = self.weekday()?;
        let mut text = String::new();
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            if character != '%' {
                text.push(character);
                continue;
            }
            let written = match rest.next()? {
                'Y' => write!(text, "{:04}", self.year),
                'y' => write!(text, "{:02}", self.year % 100),
                'm' => write!(text, "{:02}", self.month),
                'd' => write!(text, "{:02}", self.day),
                'e' => write!(text, "{:2}", self.day),
                'B' => text.write_str(month),
                'b' | 'h' => text.write_str(month.get(..3)?),
                'A' => text.write_str(weekday),
                'a' => text.write_str(weekday.get(..3)?),
                'F' => write!(text, "{:04}-{:02}-{:02}", self.year, self.month, self.day),
                // Without the leading zero.
                '-' => match rest.next()? {
                    'd' => write!(text, "{}", self.day),
                    'm' => write!(text, "{}", self.month),
                    _ => return None,
                },
                '%' => text.write_str("%"),
                _ => return None,
            };
            written.ok()?;
        }
        Some(text)
    }

    /// The name of the day of the week, by Sakamoto's method for the Gregorian calendar.
    fn weekday(self) -> Option<&'static str> {
        const SHIFT: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = u32::from(self.year).checked_sub(u32::from(self.month < 3))?;
        let shift = SHIFT.get(usize::from(self.month).checked_sub(1)?)?;
        let days = year + year / 4 - year / 100 + year / 400 + shift + u32::from(self.day);
        // Sakamoto counts from Sunday.
        let weekdays = calendar::weekdays(Language::English);
        Some(weekdays.get((days + 6) as usize % 7)?.first())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{ChatDate, ChatMessage, ChatTemplate, EdgeTokens, Role};

    #[test]
    fn control_tokens_are_taken_out_even_where_they_are_nested() {
        let unwanted = ["<|end|>".to_owned(), "<|start|>".to_owned()];
        let message = ChatMessage::new(Role::User, "a<|st<|end|>art|>b<|end|>");
        assert_eq!(message.without(&unwanted).content, "ab");
    }

    fn conversation() -> Vec<ChatMessage> {
        vec![
            ChatMessage::new(Role::System, "Be brief."),
            ChatMessage::new(Role::User, "When?"),
            ChatMessage::new(Role::Assistant, "<think>\nhm\n</think>\n\nIn June.\n"),
            ChatMessage::new(Role::User, "Where?"),
        ]
    }

    #[test]
    fn a_template_that_does_not_end_is_stopped() {
        let endless =
            "{% for a in range(10000) %}{% for b in range(10000) %}{{ a }}{% endfor %}{% endfor %}";
        let error = ChatTemplate::new(endless).unwrap().render(&[]).unwrap_err();
        assert!(error.to_string().contains("fuel"), "{error}");
    }

    #[test]
    fn a_damaged_template_is_refused() {
        assert!(ChatTemplate::new("{% for %}").is_err());
    }

    #[test]
    fn nothing_is_escaped() {
        let template = ChatTemplate::new("{{ messages[0]['content'] }}").unwrap();
        let message = ChatMessage::new(Role::User, "<a href=\"x\"> & 'y'");
        assert_eq!(template.render(&[message]).unwrap(), "<a href=\"x\"> & 'y'");
    }

    /// A template of the constructs that Qwen's are made of: tools that are absent, a search from the end,
    /// variables that outlive a loop, thoughts that are cut out of earlier replies, a switch for thinking.
    const THINKING: &str = r#"{%- if tools %}
    {{- '[system]# Tools\n' }}
    {%- for tool in tools %}
        {{- tool | tojson }}
    {%- endfor %}
    {%- elif messages[0].role == 'system' %}
    {{- '[system]' + messages[0].content + '[end]\n' }}
    {%- endif %}
    {%- set found = namespace(searching=true, last=messages|length - 1) %}
    {%- for message in messages[::-1] %}
    {%- set at = (messages|length - 1) - loop.index0 %}
    {%- if found.searching and message.role == "user" and message.content is string and not (message.content.startswith('<result>') and message.content.endswith('</result>')) %}
        {%- set found.searching = false %}
        {%- set found.last = at %}
    {%- endif %}
    {%- endfor %}
    {%- for message in messages %}
    {%- if message.role == "user" or (message.role == "system" and not loop.first) %}
        {{- '[' + message.role + ']' + message.content + '[end]' + '\n' }}
    {%- elif message.role == "assistant" %}
        {%- set content = message.content %}
        {%- if message.thoughts is defined and message.thoughts is not none %}
            {{- raise_exception('no thoughts here') }}
        {%- elif '</think>' in content %}
            {%- set thoughts = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
            {%- set content = content.split('</think>')[-1].strip('\n') %}
        {%- endif %}
        {%- if loop.index0 > found.last and thoughts %}
            {{- '[assistant](' + thoughts + ')' + content }}
        {%- else %}
            {{- '[assistant]' + content }}
        {%- endif %}
        {%- for call in message.calls or [] %}
            {{- call.name }}
        {%- endfor %}
        {{- '[end]\n' }}
    {%- endif %}
    {%- endfor %}
    {%- if add_generation_prompt %}
    {{- '[assistant]' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '()' }}
    {%- endif %}
    {%- endif %}"#;

    #[test]
    fn templates_that_search_backwards_and_cut_thoughts_are_filled_in() {
        let template = ChatTemplate::new(THINKING).unwrap();
        let expected = "[system]Be brief.[end]\n[user]When?[end]\n[assistant]In June.[end]\n\
                        [user]Where?[end]\n[assistant]";
        assert_eq!(template.render(&conversation()).unwrap(), expected);
        let brief = template.with_flag("enable_thinking", false);
        assert_eq!(brief.render(&conversation()).unwrap(), format!("{expected}()"));
    }

    /// As in Llama's templates: tokens around the text, a date, and rules that raise.
    const STRICT: &str = r#"{{ bos_token }}
    {%- if messages[0]['role'] == 'system' %}
    {%- set system = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
    {%- else %}
    {%- set system = "" %}
    {%- endif %}
    {%- if strftime_now is defined %}
    {%- set today = strftime_now("%d %b %Y") %}
    {%- else %}
    {%- set today = "01 Jan 2020" %}
    {%- endif %}
    {{- today + "|" + system + "\n" }}
    {%- for message in messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception("roles must alternate") }}
    {%- endif %}
    {{- message['role'] + ": " + message['content'] | trim + eos_token }}
    {%- endfor %}"#;

    #[test]
    fn templates_get_tokens_and_a_date() {
        let template = ChatTemplate::new(STRICT).unwrap();
        let edges = EdgeTokens { begin: Some("<s>".to_owned()), end: Some("</s>".to_owned()) };
        let messages = &conversation()[..2];
        let written = template.render_between(messages, &edges).unwrap();
        assert_eq!(written, "<s>01 Jan 2020|Be brief.\nuser: When?</s>");
        let template = template.with_date(ChatDate { year: 2026, month: 11, day: 20 });
        let written = template.render_between(messages, &edges).unwrap();
        assert_eq!(written, "<s>20 Nov 2026|Be brief.\nuser: When?</s>");
    }

    #[test]
    fn a_template_may_refuse_a_conversation() {
        let template = ChatTemplate::new(STRICT).unwrap();
        let edges = EdgeTokens { begin: None, end: Some(String::new()) };
        let twice = [ChatMessage::new(Role::User, "a"), ChatMessage::new(Role::User, "b")];
        let error = template.render_between(&twice, &edges).unwrap_err();
        assert!(error.to_string().contains("roles must alternate"), "{error}");
    }

    #[test]
    fn dates_are_written_as_c_does() {
        let date = ChatDate { year: 2026, month: 11, day: 3 };
        let written = |pattern| date.format(pattern);
        assert_eq!(written("%d %B %Y").as_deref(), Some("03 November 2026"));
        assert_eq!(written("%A, %-d %b %y").as_deref(), Some("Tuesday, 3 Nov 26"));
        assert_eq!(written("%F 100%%").as_deref(), Some("2026-11-03 100%"));
        assert_eq!(written("%H:%M"), None);
        assert_eq!(written("%"), None);
    }

    #[test]
    fn leap_years_and_centuries_count() {
        let weekday = |year, month, day| ChatDate { year, month, day }.format("%a");
        assert_eq!(weekday(2024, 2, 29).as_deref(), Some("Thu"));
        assert_eq!(weekday(2000, 1, 1).as_deref(), Some("Sat"));
        assert_eq!(weekday(2100, 3, 1).as_deref(), Some("Mon"));
        assert_eq!(weekday(2026, 13, 1), None);
        assert_eq!(weekday(2026, 0, 1), None);
    }
}
