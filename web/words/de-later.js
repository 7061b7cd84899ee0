// @ts-check
/** Was die Seite sagt, wenn eine Antwort dasteht, und zu dem, was geöffnet wird, auf Deutsch. */

/** @typedef {import("../later-words.js").LaterWords} LaterWords */

import { counter } from "./counter.js";

const count = counter("de");

/** @type {LaterWords} */
export const words = {
  reader: {
    opening: "Das Dokument wird geöffnet …",
    open: "Das Dokument öffnen",
    newTab: " (in einem neuen Tab)",
    long: "Dieses Dokument ist sehr lang; gezeigt wird der Teil um die Textstelle. ",
    all: "Alles zeigen",
    failed: (why) => `Das ganze Dokument konnte nicht geöffnet werden. ${why}`,
    passage: "Das ist die Textstelle selbst:",
    table: "Tabelle",
  },

  profile: {
    heading: "Wer fragt?",
    note: "Dokumente, die für andere sind, werden weggelassen, und das wird Ihnen gesagt. Was Sie hier angeben, bleibt auf diesem Gerät.",
    save: "Für mich suchen",
    forget: "Vergessen",
    notTold: "keine Angabe",
    programme: "Studiengang",
    department: "Institut",
    faculty: "Fakultät",
    specialisation: "Vertiefung",
    batch: "Jahrgang (das Jahr, in dem Sie begonnen haben)",
    year: "Studienjahr",
    semester: "Fachsemester",
    courses: "Lehrveranstaltungen, die Sie besuchen oder besucht haben",
    for: "für: ",
    everybody: "alle",
    change: (who) => `Es wird gesucht für: ${who}. Ändern`,
    tell: "Es wird für alle gesucht. Sagen, wer Sie sind",
    ofFaculty: (name) => `Fakultät ${name}`,
    ofBatch: (name) => `Jahrgang ${name}`,
    ofYear: (n) => `${n}. Studienjahr`,
    ofSemester: (n) => `${n}. Semester`,
    ofCourses: (n) => count(n, { one: "Lehrveranstaltung", other: "Lehrveranstaltungen" }),
  },

  prose: {
    heading: "Von einem Sprachmodell geschrieben",
    write: "Eine Antwort von einem Sprachmodell schreiben lassen (läuft auf diesem Gerät)",
    writeAfter: (size) => `Eine Antwort von einem Sprachmodell schreiben lassen (${size}, läuft auf diesem Gerät)`,
    ready: (model) =>
      `Ein Versuch. ${model} ist bereit. Es bekommt nur die hier gezeigten Textstellen und verfehlt das Gefragte öfter als sie.`,
    fetches: (model) =>
      `Ein Versuch. Lädt ${model} einmal und behält es. Es bekommt nur die hier gezeigten Textstellen, verfehlt das Gefragte öfter als sie, und nichts verlässt dieses Gerät.`,
    reading: "Die Textstellen werden gelesen",
    isReading: (where) => `Das Sprachmodell liest die Textstellen. ${where}`,
    writing: "Es wird geschrieben",
    writingWords: (n) => `Es wird geschrieben: ${count(n, { one: "Wort", other: "Wörter" })}`,
    readies: "Wird vorbereitet",
    asksForProgram: "Das Programm für das Modell wird angefordert",
    fetchesProgram: "Das Programm für das Modell wird geladen",
    fetchesModel: (model) => `${model} wird geladen`,
    fetchesSize: (model, size) => `${model} wird geladen, ${size}`,
    modelReadies: (model) => `${model} wird vorbereitet`,
    stop: "Anhalten",
    again: "Noch einmal schreiben",
    by: (model) => `Geschrieben von ${model} auf diesem Gerät.`,
    stoppedBy: (model) => `Angehalten. Geschrieben von ${model} auf diesem Gerät.`,
    pace: (tokens, time) => ` ${tokens} Token in ${time}.`,
    beware: " Es kann falsch sein: Vergleichen Sie es mit den Quellen.",
    wasStopped: "Das Sprachmodell wurde angehalten.",
    hasFinished: "Das Sprachmodell ist fertig.",
    checking: "Jeder Satz wird mit den Quellen verglichen …",
    unchecked: (why) => `Die Sätze konnten nicht mit den Quellen verglichen werden. ${why}`,
    uncheckedHidden: (why) =>
      `Die Sätze konnten nicht mit den Quellen verglichen werden, also wird keiner gezeigt. ${why}`,
    tryProcessor: "Auf dem Prozessor versuchen (langsamer)",
    device: "Was dieses Gerät kann",
    notFound: "Das Modell hat die Antwort in diesen Textstellen nicht gefunden.",
    noClaims: "Kein Satz behauptet etwas, das sich mit den Quellen vergleichen ließe.",
    allFound:
      "Jeder Satz wurde in den Quellen gefunden, soweit ein kleines Netz das sagen kann. Ob er die Frage beantwortet, müssen Sie selbst beurteilen.",
    noneShown:
      "Nichts von dem, was das Modell geschrieben hat, stand in den Quellen und traf zugleich die Frage; darum wird nichts davon gezeigt.",
    marked: (n, of) =>
      `Mit den Quellen verglichen: ${count(n, { one: "Satz", other: "Sätze" })} von ${of} ${n === 1 ? "wurde dort nicht gefunden und ist" : "wurden dort nicht gefunden und sind"} markiert.`,
    leftOut: (n, of) =>
      `Mit den Quellen verglichen: ${count(n, { one: "Satz", other: "Sätze" })} von ${of} ${n === 1 ? "wurde dort nicht gefunden oder trifft die Frage nicht und fehlt hier." : "wurden dort nicht gefunden oder treffen die Frage nicht und fehlen hier."}`,
    unfound: " (nicht in den Quellen gefunden)",
    unstated: (what) => ` (nicht in den Quellen: ${what})`,
  },

  copy: {
    copy: "Kopieren",
    text: "Als Text, mit Quelle",
    markdown: "In Markdown-Form",
    link: "Einen Link zu dieser Frage",
    done: "Kopiert.",
    byHand: "Diese Seite darf nicht in die Zwischenablage schreiben: Kopieren Sie es von hier.",
    print: "Drucken",
    asked: (question, site, day) => `Gefragt: „${question}“, auf ${site}, am ${day}:`,
  },

  judge: {
    ask: "War das richtig?",
    yes: "Ja",
    no: "Nein",
    thanks: "Nur auf diesem Gerät vermerkt.",
    tell: "Dem Institut sagen",
    kept: (n) =>
      `Was Sie zu ${count(n, { one: "Antwort", other: "Antworten" })} gesagt haben, ist auf diesem Gerät vermerkt.`,
    save: "In einer Datei sichern",
    forget: "Vergessen",
  },

  why: {
    heading: "Warum diese Antwort",
    question: (question) => `Gesucht wurde nach: ${question}`,
    confidence: (percent) => `Von Antworten, die so sicher aussehen wie diese, sind etwa ${percent} richtig.`,
    read: "Die Textstellen wurden nach den Wörtern durchgelesen, die antworten; was am besten antwortet, steht vorn.",
    unread: "Die Textstellen wurden nicht nach den Wörtern durchgelesen, die antworten.",
    terms: (terms) => `Nachgeschlagene Wörter in ihrer Grundform: ${terms}.`,
    expansion: (found, added) => `Auch nach „${added}“ gesucht, was dasselbe heißt wie „${found}“.`,
    sources: "Wie jede Quelle gefunden wurde: ihr Rang und ihr Wert auf der Skala dieser Suche",
    source: "Quelle",
    lexical: "Stichwörter",
    dense: "Bedeutung",
    instant: "Bedeutung, grob",
    late: "Wort für Wort",
    cross: "Mit der Frage gelesen",
    fused: "Zusammen",
    score: (rank, score) => `${rank}. (${score})`,
    stages: "Was getan wurde, der Reihe nach",
    stage: "Schritt",
    candidates: "Textstellen danach",
    time: "Zeit",
    names: {
      spelling: "Wörter berichtigen",
      synonyms: "Wörter gleicher Bedeutung",
      filter: "Weglassen, was für andere ist",
      lexical: "Stichwörter",
      embed: "Die Frage lesen",
      dense: "Bedeutung",
      further: "Andere Wörter und Teile",
      feedback: "Wörter der besten Textstellen",
      fused: "Die Listen zusammenführen",
      rerank: "Wort für Wort vergleichen",
      families: "Seiten gleicher Machart",
      cross: "Mit der Frage lesen",
      levels: "Ebenen der Universität",
      cut: "Die Liste beenden",
      passages: "Die Textstellen holen",
      neighbours: "Holen, was daneben steht",
      conflicts: "Widersprüche suchen",
    },
  },

  earlier: {
    heading: "Früher auf diesem Gerät gefragt",
    clear: "Diese vergessen",
    cleared: "Frühere Fragen sind vergessen.",
  },

  suggest: {
    list: "Vorschläge",
    found: (n) => count(n, { one: "Vorschlag", other: "Vorschläge" }),
    question: "Frage",
    earlier: "früher gefragt",
    document: "Dokument",
    heading: "Überschrift",
  },

  settings: {
    open: "Einstellungen",
    heading: "Wie auf diesem Gerät gesucht wird",
    keywords: "Nur nach Stichwörtern suchen: Nichts anderes wird geladen",
    saver: "Daten sparen: Modelle nur laden, wenn ich es sage",
    history: "Meine Fragen auf diesem Gerät behalten",
    sources: "Textstellen zu einer Antwort",
    context: "Textstellen, die daneben gelesen werden",
    words: "Länge einer geschriebenen Antwort",
    short: "kurz",
    usual: "wie auf der Website eingestellt",
    long: "lang",
    save: "Verwenden",
    reset: "Wie auf der Website eingestellt",
  },

  device: {
    graphics: "Läuft auf dem Grafikprozessor dieses Geräts.",
    slower: " Das ist langsamer.",
    shared: (workers) => ` ${workers} Teilprozesse teilen sich die Arbeit.`,
    alone: " Ein Teilprozess tut alles, da andere nicht genutzt werden konnten.",
    chosen: "Diese Seite lässt das Modell auf dem Prozessor dieses Geräts laufen.",
    notOffered: "Dieser Browser bietet der Seite keinen Grafikprozessor an, darum läuft das Modell auf dem Prozessor.",
    software: "Dieses Gerät hat keinen Grafikprozessor für die Seite, darum läuft das Modell auf dem Prozessor.",
    failed:
      "Der Grafikprozessor konnte nicht genutzt werden oder hat falsch gerechnet, darum läuft das Modell auf dem Prozessor.",
    lost: "Der Grafikprozessor ging mehrmals verloren, darum läuft das Modell auf dem Prozessor.",
    full: "Der Grafikprozessor hatte keinen Platz für das Modell, darum läuft es auf dem Prozessor.",
    helperLost: "Ein Teil des Programms ging verloren: Das Modell wird neu gestartet",
    ranOut: "Dem Grafikprozessor ging der Platz aus: Das Modell wird neu gestartet",
    ranOutToProcessor: "Dem Grafikprozessor ging der Platz aus: Weiter geht es auf dem Prozessor, der langsamer ist",
    wasLost: "Der Grafikprozessor ging verloren: Das Modell wird neu gestartet",
    wasLostToProcessor: "Der Grafikprozessor ging verloren: Weiter geht es auf dem Prozessor, der langsamer ist",
    memory: (detail) =>
      `Für das Sprachmodell war nicht genug Speicher da. ${detail} Schließen Sie andere Tabs und Programme und versuchen Sie es noch einmal, oder bitten Sie die Betreiber dieser Website um ein kleineres Modell.`,
    silent:
      "Das Sprachmodell meldete sich nicht mehr und wurde beendet. Versuchen Sie es noch einmal; schließen Sie auf einem langsamen Gerät vorher andere Tabs und Programme.",
    broken: (detail) => `Das Programm für das Sprachmodell ist abgestürzt (${detail}). Versuchen Sie es noch einmal.`,
    couldNot: (detail) => `Das Sprachmodell konnte keine Antwort schreiben. ${detail}`,
  },

  campus: {
    asked: "Gefragt: ",
    missed: (/** @type {string} */ name) => `${name} konnte nicht gefragt werden: Textstellen von dort fehlen hier.`,
  },

  kiosk: {
    take: "Mitnehmen",
    scan: "Mit dem Telefon einlesen",
    code: "QR-Code",
    logs: "Fragen, die hier nicht beantwortet werden, werden notiert, ohne wer sie gestellt hat.",
    there: "Sind Sie noch da?",
    left: (n) =>
      `Dieser Bildschirm beginnt in ${count(n, { one: "Sekunde", other: "Sekunden" })} von vorn und vergisst, was gefragt wurde.`,
    stay: "Ich bin da",
  },
};
