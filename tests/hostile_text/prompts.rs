//! What a language model is asked about documents with attacks in them, and questions with attacks beside them.

use campanile_answer::prose_prompt;

use crate::answers::{PAIRS, Pair};

#[test]
fn prompts_keep_their_frame() {
    let mut prompts = 0;
    for Pair { attack, harmless, hostile, .. } in PAIRS.iter() {
        let (Some(plain), Some(prompt)) = (prose_prompt(harmless, &[]), prose_prompt(hostile, &[]))
        else {
            continue;
        };
        prompts += 1;
        let name = &attack.name;
        assert_eq!(prompt.system, plain.system, "{name}");
        let kept = attack.absent.iter().find(|text| prompt.user.contains(text.as_str()));
        assert_eq!(kept, None, "{name}:\n{}", prompt.user);
        let lines: Vec<&str> = prompt.user.lines().filter(|line| !line.is_empty()).collect();
        let sources: Vec<String> = prompt.sources.iter().map(|it| format!("[{it}] ")).collect();
        let passages: Vec<&&str> = lines.iter().filter(|line| line.starts_with('[')).collect();
        assert_eq!(passages.len(), sources.len(), "{name}:\n{}", prompt.user);
        for (line, number) in passages.iter().zip(&sources) {
            assert!(line.starts_with(number.as_str()), "{name}: {line}");
        }
        assert_eq!(prompt.user.matches('[').count(), sources.len(), "{name}:\n{}", prompt.user);
        assert_eq!(prompt.user.matches("Question:").count(), 1, "{name}:\n{}", prompt.user);
        assert!(lines.last().unwrap().starts_with("Question: "), "{name}:\n{}", prompt.user);
        // Another question may bring more passages; what stands around them is the same.
        let labels = |user: &str| {
            user.lines().filter(|line| !line.is_empty() && !line.starts_with('[')).count()
        };
        assert_eq!(labels(&prompt.user), labels(&plain.user), "{name}:\n{}", prompt.user);
        assert!(!prompt.user.contains("<|"), "{name}:\n{}", prompt.user);
    }
    assert!(prompts > 120, "{prompts}");
}
