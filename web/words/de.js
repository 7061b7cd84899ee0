// @ts-check
/** Was die Seite sagt, auf Deutsch. */

/** @typedef {import("../words.js").Words} Words */

import { counter } from "./counter.js";

const count = counter("de");
const documents = (/** @type {number} */ n) => count(n, { one: "Dokument", other: "Dokumente" });
const passages = (/** @type {number} */ n) => count(n, { one: "Textstelle", other: "Textstellen" });

/** @type {Words} */
export const words = {
  language: "de",
  direction: "ltr",
  documents,
  passages,

  close: "Schließen",
  cancel: "Abbrechen",
  tryAgain: "Noch einmal versuchen",
  startAgain: "Neu beginnen",
  details: "Was geschehen ist, im Einzelnen",
  source: (number, title) => `Quelle ${number}: ${title}`,
  page: (label) => `Seite ${label}`,

  size: {
    bytes: (n) => count(n, { other: "Byte" }),
    progress: (loaded, total) => `${loaded} von ${total}`,
    underAMillisecond: "unter 1 ms",
  },

  box: {
    label: "Ihre Frage",
    placeholder: "Fragen Sie mit eigenen Worten",
    ask: "Fragen",
    opener: "Die Dokumente fragen",
    examples: "Fragen für den Anfang",
    doing: "Was diese Seite gerade tut",
    control: "Strg",
  },

  status: {
    opening: "Der Index wird geöffnet",
    searching: "Es wird gesucht …",
    quiet: "Das dauert länger als es sollte: Seit einer Weile ist nichts angekommen.",
    byKeywords: (time) => `Nach Stichwörtern gesucht in ${time}`,
    byRoughMeaning: (time) => `Nach Stichwörtern und grob nach der Bedeutung gesucht in ${time}`,
    byMeaning: (time) => `Nach Stichwörtern und Bedeutung gesucht in ${time}`,
    byKeywordsReworded: (time) => `Nach Stichwörtern gesucht, auch mit anderen Worten, in ${time}`,
    byRoughMeaningReworded: (time) =>
      `Nach Stichwörtern und grob nach der Bedeutung gesucht, auch mit anderen Worten, in ${time}`,
    byMeaningReworded: (time) => `Nach Stichwörtern und Bedeutung gesucht, auch mit anderen Worten, in ${time}`,
    rewording: "Die Frage wird mit anderen Worten gestellt …",
    roughToSpareData: "Nach der Bedeutung nur grob, um Ihr Datenvolumen zu schonen.",
    keywordsToSpareData: "Nur nach Stichwörtern, um Ihr Datenvolumen zu schonen.",
    fetchModel: (size) => `Das Lesemodell laden, ${size}`,
    roughWithoutModel: "Nach der Bedeutung nur grob: Das Lesemodell fehlt.",
    keywordsWithoutModel: "Nur nach Stichwörtern: Das Lesemodell fehlt.",
    keywordsUntilModel: "Nur nach Stichwörtern, bis das Lesemodell da ist.",
    modelReadies: "Das Lesemodell wird vorbereitet",
    modelArrives: "Das Lesemodell kommt an",
    wholeSentences: "Antworten sind ganze Sätze: Es fehlt, was die Wörter darin findet.",
    offerKeeping: "Um ohne Netz zu fragen, behalten Sie den ganzen Index auf diesem Gerät.",
    keep: "Behalten",
    keepSize: (size) => `Behalten, ${size}`,
    keeping: "Der Index wird für die Nutzung ohne Netz behalten",
    notAllKept: "Nicht der ganze Index konnte für die Nutzung ohne Netz behalten werden.",
    noNetwork: "Kein Netz: Antworten kommen aus dem, was dieses Gerät behalten hat.",
    incomplete: "Ein Teil dieser Website ist nicht angekommen; hier kann etwas fehlen.",
    partsMissing:
      "Ein Teil der Seite konnte nicht geladen werden: das Formular über Sie oder der Text in eigenen Worten. Laden Sie die Seite neu, um es noch einmal zu versuchen.",
    noDocument: (why) => `Das Dokument konnte nicht geöffnet werden. ${why}`,
    howRead: "Wie Textstellen gelesen werden",
  },

  trouble: {
    offline: "Es gibt kein Netz, und dieses Gerät hat nicht behalten, was dafür nötig ist.",
    program:
      "Das Suchprogramm ist nicht vollständig angekommen oder abgestürzt. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es den Betreibern dieser Website.",
    part: "Ein Teil dieser Website ist nicht so angekommen, wie er sollte. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es den Betreibern dieser Website.",
    browser:
      "Dieser Browser kann das Suchprogramm nicht ausführen: Er ist zu alt, oder eine strenge Sicherheitseinstellung (etwa der Blockierungsmodus) schaltet WebAssembly ab. Bitte nehmen Sie einen anderen Browser, oder erlauben Sie es für diese Website.",
    notOpened: "Der Index dieser Website konnte nicht geöffnet werden.",
    notAnswered: "Diese Frage konnte nicht beantwortet werden.",
  },

  spoken: {
    forEverybody: "Es wird für alle gesucht.",
    forYou: "Es wird für Sie gesucht.",
    settings: "Einstellungen sind auf diesem Gerät behalten.",
    refined: "Die Ergebnisse wurden nach der Bedeutung verfeinert.",
    direct: (n) => `Eine Antwort wird gezeigt, mit ${passages(n)}.`,
    section: (n) => `Ein Abschnitt dazu wird gezeigt, mit ${passages(n)}.`,
    possible_section: (n) => `Ein Abschnitt, der passen könnte, wird gezeigt, mit ${passages(n)}.`,
    qualified: (n) => `Eine mögliche Antwort wird gezeigt, mit ${passages(n)}.`,
    refusal: (n) => `Keine klare Antwort gefunden, mit ${passages(n)}.`,
  },

  answer: {
    direct: "Antwort",
    section: "Dieser Abschnitt behandelt es",
    possible_section: "Dieser Abschnitt könnte es behandeln",
    qualified: "Mögliche Antwort",
    refusal: "Keine klare Antwort gefunden",
    looking: "Die Antwort wird gesucht",
    incomplete: "Nicht alles konnte durchsucht werden",
    incompleteRefusal:
      "In dem, was von dieser Website angekommen ist, steht keine klare Antwort. In dem, was fehlt, kann eine stehen.",
    unclear: "Keine Textstelle beantwortet das klar.",
    nothing: "Nichts in den Dokumenten passt zu dieser Frage.",
    wordsAlone: "Textstellen mit Wörtern der Frage",
    quotedFrom: "Zitiert aus ",
    ask: "Fragen Sie: ",
    yes: "Ja",
    no: "Nein",
    depends: "Es kommt darauf an",
    awaitsProgram:
      "Textstellen mit Wörtern der Frage sind schon da. Das Programm, das die Antwort darin sucht, ist unterwegs.",
    beingRead: "Die Textstellen sind da. Sie werden nach den Wörtern durchgelesen, die antworten.",
    awaitsModel: "Textstellen sind schon da. Das Modell, das die Antwort darin sucht, ist unterwegs.",
    awaitsMeaning:
      "Mit den Wörtern allein wurde bisher nichts gefunden. Das Modell, das nach der Bedeutung sucht, ist unterwegs.",
  },

  advice: {
    otherPage: (title) => `Das ist aus „${title}“, und das ist nicht die Seite, die in der Frage genannt wird.`,
    eachSide: "Nicht sicher: Für jede Seite steht hier, was ihr am nächsten kommt.",
    oddsOfAnswer: (of) => `Nicht sicher: Von solchen Antworten ist etwa eine von ${NUMBERS[of]} richtig.`,
    oddsOfSection: (of) => `Nicht sicher: Von solchen Abschnitten enthält etwa einer von ${NUMBERS[of]} das Gefragte.`,
    sideMissing: (side) => `Keine Textstelle in der Nähe handelt von „${side}“.`,
    otherLanguage: (language) =>
      `Die Dokumente sind nicht in dieser Sprache (${language}): In ihrer Sprache gefragt, findet sich vielleicht mehr.`,
    fewerWords: "Andere oder weniger Wörter finden vielleicht mehr.",
    nearestByWords: (n) =>
      `Nach Wörtern durchsucht: ${documents(n)}. Die nächsten Textstellen sind aufgelistet, wie sie sind.`,
    nearestByMeaning: (n) =>
      `Nach Wörtern und Bedeutung durchsucht: ${documents(n)}. Die nächsten Textstellen sind aufgelistet, wie sie sind.`,
    nearest: "Die nächsten Textstellen sind aufgelistet, wie sie sind.",
    nameIt: "Andere Wörter oder der Name einer Lehrveranstaltung oder Stelle finden vielleicht mehr.",
    nameNowhere: (names) => `Auf keiner Seite steht ${either(names.map((name) => `„${name}“`))}.`,
    nameMissing: (names) => `Was gefunden wurde, nennt ${either(names.map((name) => `„${name}“`))} nicht.`,
    wordMissing: (missing) =>
      `Keine Textstelle in der Nähe enthält ${either(missing.map((word) => `„${word}“`))}: Ein anderes Wort dafür findet vielleicht mehr.`,
  },

  sources: {
    passages: "Textstellen",
    byKeywords: "Textstellen nach Stichwörtern",
    sources: "Quellen",
    nearest: "Nächste Textstellen",
    alsoIn: "Dasselbe steht in",
    rankByKeywords: (rank) => `${rank}. nach Stichwörtern`,
    rankByMeaning: (rank) => `${rank}. nach der Bedeutung`,
    rankByRoughMeaning: (rank) => `${rank}. grob nach der Bedeutung`,
  },

  notes: {
    askedAs: "Gefragt wurde: ",
    asTyped: "Mit den Wörtern fragen, die ich getippt habe",
    narrowed: (field, value) => `Für ${field} ${value}, nur bei dieser Frage. `,
    forAll: "Für alle fragen",
    everyone: "Auch Textstellen für andere werden gezeigt. ",
    mineOnly: "Nur die für mich zeigen",
    showOne: "Zeigen",
    showAll: "Zeigen",
    forOthers: (n) => count(n, { one: "Textstelle ist für andere", other: "Textstellen sind für andere" }),
    notToday: (n) => count(n, { one: "Textstelle gilt heute nicht", other: "Textstellen gelten heute nicht" }),
    differs: (_, nearer, near, farther, far) =>
      `Die Regel (${nearer}) weicht von der anderen (${farther}) ab: ${near}, ${far}.`,
    reason: (aspect, document, profile) => `${aspect}: für ${document}, und das Profil sagt ${profile}`,
    untimely: (document, day) => `${document}; gefragt wird für den ${day}`,
    corrected: (instead, word) => `Gesucht wurde nach „${instead}“: „${word}“ steht in keinem Dokument.`,
    depends: (field) => `Die Antwort hängt davon ab (${field}). Welche ist gemeint?`,
    madeUp: "Eine ausgedachte Textstelle, um ähnliche zu finden; sie steht in keinem Dokument: ",
    otherWords: (n) =>
      `Auch mit ${count(n, { one: "anderer Formulierung", other: "anderen Formulierungen" })} gesucht, geschrieben vom Sprachmodell auf diesem Gerät.`,
  },

  fields: {
    programme: "Studiengang",
    department: "Institut",
    faculty: "Fakultät",
    specialisation: "Vertiefung",
    batch: "Jahrgang",
    course: "Lehrveranstaltung",
    year: "Studienjahr",
    semester: "Fachsemester",
  },

  more: {
    more: "Zehn weitere zeigen",
    searching: "Weitere werden gesucht …",
    none: "Es gibt keine weiteren.",
    found: (n) => `${passages(n)} dazu.`,
    narrow: "Die Liste eingrenzen",
    all: "alle",
    kind: "Art",
    level: "Von",
    department: "Institut",
    year: "Jahr",
    university: "Universität",
    faculty: "Fakultät",
    shown: (n, of) => `${n} von ${passages(of)} gezeigt.`,
  },

  around: {
    skip: "Zum Fragefeld springen",
    facts: (ofDocuments, ofPassages) => `${documents(ofDocuments)}, ${passages(ofPassages)}.`,
    onDevice: " Fragen werden in dieser Seite auf Ihrem Gerät beantwortet; sie werden nirgendwohin gesendet.",
    kept: "Auf diesem Gerät behalten",
    keptAmount: (size) => `${size} der Dateien und Modelle dieser Website sind auf diesem Gerät behalten.`,
    remove: "Behaltenes entfernen",
    removed: "Entfernt. Dateien werden wieder geladen, wenn sie gebraucht werden.",
    licences: "Lizenzen",
    theme: "Hell oder dunkel",
    light: "Hell",
    dark: "Dunkel",
    system: "Wie auf dem Gerät",
    keepAll: "Alles für die Nutzung ohne Netz behalten",
    keptAll: "Der ganze Index ist behalten: Diese Seite funktioniert ohne Netz.",
    install: "Als App einrichten",
    newer: "Eine neuere Version dieser Seite liegt bereit. ",
    useNow: "Jetzt verwenden",
  },
};

/** @type {Record<number, string>} */
const NUMBERS = { 2: "zwei", 3: "drei", 4: "vier", 5: "fünf", 6: "sechs" };

/** "a, b oder c" @param {string[]} parts */
const either = (parts) => new Intl.ListFormat("de", { type: "disjunction" }).format(parts);
