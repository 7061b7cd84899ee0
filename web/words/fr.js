// @ts-check
/** Ce que dit la page, en français. */

/** @typedef {import("../words.js").Words} Words */

import { counter } from "./counter.js";

const count = counter("fr");
const documents = (/** @type {number} */ n) => count(n, { one: "document", other: "documents" });
const passages = (/** @type {number} */ n) => count(n, { one: "passage", other: "passages" });
const ordinal = (/** @type {number} */ rank) => (rank === 1 ? "1er" : `${rank}e`);

/** @type {Words} */
export const words = {
  language: "fr",
  direction: "ltr",
  documents,
  passages,

  close: "Fermer",
  cancel: "Annuler",
  tryAgain: "Réessayer",
  startAgain: "Recommencer",
  details: "Ce qui s’est passé, en détail",
  source: (number, title) => `Source ${number} : ${title}`,
  page: (label) => `page ${label}`,

  size: {
    bytes: (n) => count(n, { one: "octet", other: "octets" }),
    progress: (loaded, total) => `${loaded} sur ${total}`,
    underAMillisecond: "moins de 1 ms",
  },

  box: {
    label: "Votre question",
    placeholder: "Demandez avec vos propres mots",
    ask: "Demander",
    opener: "Interroger les documents",
    examples: "Des questions pour commencer",
    doing: "Ce que fait cette page",
    control: "Ctrl",
  },

  status: {
    opening: "Ouverture de l’index",
    searching: "Recherche …",
    quiet: "C’est plus long que prévu : rien n’est arrivé depuis un moment.",
    byKeywords: (time) => `Recherche par mots-clés en ${time}`,
    byRoughMeaning: (time) => `Recherche par mots-clés et, grossièrement, par le sens en ${time}`,
    byMeaning: (time) => `Recherche par mots-clés et par le sens en ${time}`,
    byKeywordsReworded: (time) => `Recherche par mots-clés, aussi en d’autres termes, en ${time}`,
    byRoughMeaningReworded: (time) =>
      `Recherche par mots-clés et, grossièrement, par le sens, aussi en d’autres termes, en ${time}`,
    byMeaningReworded: (time) => `Recherche par mots-clés et par le sens, aussi en d’autres termes, en ${time}`,
    rewording: "La question est reformulée …",
    roughToSpareData: "Par le sens, grossièrement seulement, pour ménager vos données.",
    keywordsToSpareData: "Par mots-clés seulement, pour ménager vos données.",
    fetchModel: (size) => `Télécharger le modèle de lecture, ${size}`,
    roughWithoutModel: "Par le sens, grossièrement seulement : le modèle de lecture manque.",
    keywordsWithoutModel: "Par mots-clés seulement : le modèle de lecture manque.",
    keywordsUntilModel: "Par mots-clés seulement, jusqu’à l’arrivée du modèle de lecture.",
    modelReadies: "Préparation du modèle de lecture",
    modelArrives: "Le modèle de lecture arrive",
    wholeSentences: "Les réponses sont des phrases entières : ce qui y trouve les mots manque.",
    offerKeeping: "Pour demander sans réseau, gardez tout l’index sur cet appareil.",
    keep: "Garder",
    keepSize: (size) => `Garder, ${size}`,
    keeping: "L’index est gardé pour l’usage sans réseau",
    notAllKept: "L’index n’a pas pu être gardé en entier pour l’usage sans réseau.",
    noNetwork: "Pas de réseau : les réponses viennent de ce que cet appareil a gardé.",
    incomplete: "Une partie de ce site n’est pas arrivée ; il peut manquer quelque chose ici.",
    partsMissing:
      "Une partie de la page n’a pas pu être chargée : le formulaire à votre sujet ou le texte rédigé. Rechargez-la pour réessayer.",
    noDocument: (why) => `Le document n’a pas pu être ouvert. ${why}`,
    howRead: "Comment les passages sont lus",
  },

  trouble: {
    offline: "Il n’y a pas de réseau, et cet appareil n’a pas gardé ce qu’il faut pour cela.",
    program:
      "Le programme de recherche n’est pas arrivé en entier ou s’est arrêté. Réessayez ; si cela persiste, dites-le à ceux qui publient ce site.",
    part: "Une partie de ce site n’est pas arrivée comme elle devait. Réessayez ; si cela persiste, dites-le à ceux qui publient ce site.",
    browser:
      "Ce navigateur ne peut pas exécuter le programme de recherche : il est trop ancien, ou un réglage de sécurité strict (comme le mode Isolement) désactive WebAssembly. Utilisez un autre navigateur, ou autorisez-le pour ce site.",
    notOpened: "L’index de ce site n’a pas pu être ouvert.",
    notAnswered: "Cette question n’a pas pu recevoir de réponse.",
  },

  spoken: {
    forEverybody: "Recherche pour tout le monde.",
    forYou: "Recherche pour vous.",
    refined: "Les résultats ont été affinés par le sens.",
    direct: (n) => `Réponse affichée, avec ${passages(n)}.`,
    section: (n) => `Une section qui en traite est affichée, avec ${passages(n)}.`,
    possible_section: (n) => `Une section qui en traite peut-être est affichée, avec ${passages(n)}.`,
    qualified: (n) => `Réponse possible affichée, avec ${passages(n)}.`,
    refusal: (n) => `Pas de réponse claire, avec ${passages(n)}.`,
  },

  answer: {
    direct: "Réponse",
    section: "Cette section en traite",
    possible_section: "Cette section en traite peut-être",
    qualified: "Réponse possible",
    refusal: "Pas de réponse claire",
    looking: "La réponse est cherchée",
    incomplete: "Tout n’a pas pu être parcouru",
    incompleteRefusal:
      "Dans ce qui est arrivé de ce site, il n’y a pas de réponse claire. Il y en a peut-être une dans ce qui manque.",
    unclear: "Aucun passage n’y répond clairement.",
    nothing: "Rien dans les documents ne correspond à cette question.",
    wordsAlone: "Passages avec des mots de la question",
    quotedFrom: "Cité de ",
    ask: "Demandez à : ",
    yes: "Oui",
    no: "Non",
    depends: "Cela dépend",
    awaitsProgram:
      "Des passages avec des mots de la question sont déjà là. Le programme qui y cherche la réponse est en route.",
    beingRead: "Les passages sont là. Les mots qui répondent y sont cherchés.",
    awaitsModel: "Des passages sont déjà là. Le modèle qui y cherche la réponse est en route.",
    awaitsMeaning:
      "Avec les mots seuls, rien n’a été trouvé jusqu’ici. Le modèle qui cherche par le sens est en route.",
  },

  advice: {
    otherPage: (title) => `Ceci vient de « ${title} », qui n’est pas la page que nomme la question.`,
    eachSide: "Pas certain : pour chaque côté, voici ce qui s’en approche le plus.",
    oddsOfAnswer: (of) => `Pas certain : environ une réponse de ce genre sur ${NUMBERS[of]} est juste.`,
    oddsOfSection: (of) =>
      `Pas certain : environ une section de ce genre sur ${NUMBERS[of]} contient ce qui est demandé.`,
    sideMissing: (side) => `Aucun passage proche ne parle de « ${side} ».`,
    otherLanguage: (language) =>
      `Les documents ne sont pas dans cette langue (${language}) : demandé dans la leur, il se trouve peut-être plus.`,
    fewerWords: "D’autres mots, ou moins de mots, trouvent peut-être plus.",
    nearestByWords: (n) =>
      `Parcouru d’après les mots : ${documents(n)}. Les passages les plus proches sont listés tels quels.`,
    nearestByMeaning: (n) =>
      `Parcouru d’après les mots et le sens : ${documents(n)}. Les passages les plus proches sont listés tels quels.`,
    nearest: "Les passages les plus proches sont listés tels quels.",
    nameIt: "D’autres mots, ou le nom d’un cours ou d’un service, trouvent peut-être plus.",
    wordMissing: (missing) =>
      `Aucun passage proche ne contient ${either(missing.map((word) => `« ${word} »`))} : un autre mot trouve peut-être plus.`,
  },

  sources: {
    passages: "Passages",
    byKeywords: "Passages trouvés par mots-clés",
    sources: "Sources",
    nearest: "Passages les plus proches",
    alsoIn: "La même chose se trouve dans",
    rankByKeywords: (rank) => `${ordinal(rank)} par mots-clés`,
    rankByMeaning: (rank) => `${ordinal(rank)} par le sens`,
    rankByRoughMeaning: (rank) => `${ordinal(rank)} par le sens, grossièrement`,
  },

  reader: {
    opening: "Ouverture du document …",
    open: "Ouvrir le document",
    newTab: " (dans un nouvel onglet)",
    long: "Ce document est très long ; la partie autour du passage est affichée. ",
    all: "Tout afficher",
    failed: (why) => `Le document entier n’a pas pu être ouvert. ${why}`,
    passage: "Voici le passage lui-même :",
    table: "Tableau",
  },

  notes: {
    askedAs: "Demandé ainsi : ",
    asTyped: "Demander avec les mots que j’ai écrits",
    narrowed: (field, value) => `Pour ${field} ${value}, cette question seulement. `,
    forAll: "Demander pour tous",
    everyone: "Les passages pour d’autres sont affichés aussi. ",
    mineOnly: "Afficher seulement ceux pour moi",
    showOne: "L’afficher",
    showAll: "Les afficher",
    forOthers: (n) => count(n, { one: "passage est pour d’autres", other: "passages sont pour d’autres" }),
    notToday: (n) =>
      count(n, { one: "passage n’est pas valable aujourd’hui", other: "passages ne sont pas valables aujourd’hui" }),
    differs: (_, nearer, near, farther, far) =>
      `La règle (${nearer}) diffère de l’autre (${farther}) : ${near}, ${far}.`,
    reason: (aspect, document, profile) => `${aspect} : pour ${document}, et le profil dit ${profile}`,
    untimely: (document, day) => `${document} ; demandé pour le ${day}`,
    corrected: (instead, word) => `Recherché : « ${instead} ». Aucun document ne contient « ${word} ».`,
    depends: (field) => `La réponse en dépend (${field}). Lequel ou laquelle ?`,
    madeUp: "Un passage inventé pour en chercher de semblables ; il ne vient d’aucun document : ",
    otherWords: (n) =>
      `Aussi recherché avec ${count(n, { one: "autre formulation", other: "autres formulations" })}, du modèle de langage de cet appareil.`,
  },

  fields: {
    programme: "formation",
    department: "département",
    faculty: "faculté",
    specialisation: "spécialité",
    batch: "promotion",
    course: "cours",
    year: "année d’études",
    semester: "semestre d’études",
  },

  profile: {
    heading: "Qui demande ?",
    note: "Les documents destinés à d’autres sont laissés de côté, et on vous le dit. Ce que vous indiquez ici reste sur cet appareil.",
    save: "Chercher pour moi",
    forget: "Oublier cela",
    notTold: "non indiqué",
    programme: "Formation",
    department: "Département",
    faculty: "Faculté",
    specialisation: "Spécialité",
    batch: "Promotion (l’année où vous avez commencé)",
    year: "Année d’études",
    semester: "Semestre d’études",
    courses: "Cours que vous suivez ou avez suivis",
    for: "pour : ",
    everybody: "tout le monde",
    change: (who) => `Recherche pour : ${who}. Changer`,
    tell: "Recherche pour tout le monde. Dire qui vous êtes",
    ofFaculty: (name) => `faculté ${name}`,
    ofBatch: (name) => `promotion ${name}`,
    ofYear: (n) => `année ${n}`,
    ofSemester: (n) => `semestre ${n}`,
    ofCourses: (n) => count(n, { one: "cours", other: "cours" }),
  },

  prose: {
    heading: "Rédigé par un modèle de langage",
    write: "Faire rédiger une réponse par un modèle de langage (sur cet appareil)",
    writeAfter: (size) => `Faire rédiger une réponse par un modèle de langage (${size}, sur cet appareil)`,
    ready: (model) =>
      `Une expérience. ${model} est prêt. Il ne reçoit que les passages affichés ici, et manque la question plus souvent qu’eux.`,
    fetches: (model) =>
      `Une expérience. Télécharge ${model} une fois et le garde. Il ne reçoit que les passages affichés ici, manque la question plus souvent qu’eux, et rien ne quitte cet appareil.`,
    reading: "Lecture des passages",
    isReading: (where) => `Le modèle de langage lit les passages. ${where}`,
    writing: "Rédaction",
    writingWords: (n) => `Rédaction : ${count(n, { one: "mot", other: "mots" })}`,
    readies: "Préparation",
    asksForProgram: "Demande du programme qui fait tourner le modèle",
    fetchesProgram: "Téléchargement du programme qui fait tourner le modèle",
    fetchesModel: (model) => `Téléchargement de ${model}`,
    fetchesSize: (model, size) => `Téléchargement de ${model}, ${size}`,
    modelReadies: (model) => `Préparation de ${model}`,
    stop: "Arrêter",
    again: "Rédiger à nouveau",
    by: (model) => `Rédigé par ${model} sur cet appareil.`,
    stoppedBy: (model) => `Arrêté. Rédigé par ${model} sur cet appareil.`,
    pace: (tokens, time) => ` ${tokens} jetons en ${time}.`,
    beware: " Cela peut être faux : comparez avec les sources.",
    wasStopped: "Le modèle de langage a été arrêté.",
    hasFinished: "Le modèle de langage a fini d’écrire.",
    checking: "Chaque phrase est comparée aux sources…",
    unchecked: (why) => `Les phrases n’ont pas pu être comparées aux sources. ${why}`,
    uncheckedHidden: (why) =>
      `Les phrases n’ont pas pu être comparées aux sources ; aucune n’est donc affichée. ${why}`,
    tryProcessor: "Essayer sur le processeur (plus lent)",
    device: "Ce que peut cet appareil",
    notFound: "Le modèle n’a pas trouvé la réponse dans ces passages.",
    noClaims: "Aucune phrase n’affirme quelque chose qui puisse être comparé aux sources.",
    allFound:
      "Chaque phrase a été trouvée dans les sources, autant qu’un petit réseau peut le dire. À vous de juger si elle répond à la question.",
    noneShown:
      "Rien de ce que le modèle a écrit n’était à la fois dans les sources et pertinent ; rien n’en est donc affiché.",
    marked: (n, of) =>
      `Comparé aux sources : ${count(n, { one: "phrase", other: "phrases" })} sur ${of} n’y ${n < 2 ? "a pas été trouvée et est marquée" : "ont pas été trouvées et sont marquées"}.`,
    leftOut: (n, of) =>
      `Comparé aux sources : ${count(n, { one: "phrase", other: "phrases" })} sur ${of} n’y ${n < 2 ? "a pas été trouvée ou manque la question, et est omise" : "ont pas été trouvées ou manquent la question, et sont omises"}.`,
    unfound: " (introuvable dans les sources)",
    unstated: (what) => ` (absent des sources : ${what})`,
  },

  copy: {
    copy: "Copier",
    text: "En texte, avec sa source",
    markdown: "Au format Markdown",
    link: "Un lien vers cette question",
    done: "Copié.",
    byHand: "Cette page ne peut pas écrire dans le presse-papiers : copiez-le d’ici.",
    print: "Imprimer",
    asked: (question, site, day) => `Demandé : « ${question} », à ${site}, le ${day} :`,
  },

  judge: {
    ask: "Était-ce juste ?",
    yes: "Oui",
    no: "Non",
    thanks: "Noté sur cet appareil seulement.",
    tell: "Le dire au département",
    kept: (n) =>
      `Ce que vous avez dit de ${count(n, { one: "réponse", other: "réponses" })} est noté sur cet appareil.`,
    save: "L’enregistrer dans un fichier",
    forget: "L’oublier",
  },

  why: {
    heading: "Pourquoi cette réponse",
    question: (question) => `Recherché : ${question}`,
    confidence: (percent) =>
      `Parmi les réponses qui semblent aussi sûres que celle-ci, environ ${percent} sont justes.`,
    read: "Les mots qui répondent ont été cherchés dans les passages.",
    unread: "Les mots qui répondent n’ont pas été cherchés dans les passages.",
    terms: (terms) => `Mots consultés, sous leur forme de base : ${terms}.`,
    expansion: (found, added) => `Aussi recherché : « ${added} », qui veut dire la même chose que « ${found} ».`,
    sources: "Comment chaque source a été trouvée : son rang et sa valeur à l’échelle de cette recherche",
    source: "La source",
    lexical: "Mots-clés",
    dense: "Sens",
    instant: "Sens, grossièrement",
    late: "Mot à mot",
    cross: "Lu avec la question",
    fused: "Ensemble",
    score: (rank, score) => `${ordinal(rank)} (${score})`,
    stages: "Ce qui a été fait, dans l’ordre",
    stage: "Étape",
    candidates: "Passages ensuite",
    time: "Temps",
    names: {
      spelling: "Correction des mots",
      synonyms: "Mots de même sens",
      filter: "Mise à l’écart de ce qui est pour d’autres",
      lexical: "Mots-clés",
      embed: "Lecture de la question",
      dense: "Sens",
      further: "Autres mots et parties",
      feedback: "Mots des meilleurs passages",
      fused: "Réunion des listes",
      rerank: "Comparaison mot à mot",
      families: "Pages du même modèle",
      cross: "Lecture avec la question",
      levels: "Niveaux de l’université",
      cut: "Fin de la liste",
      passages: "Récupération des passages",
      neighbours: "Récupération de ce qui est à côté",
      conflicts: "Recherche de contradictions",
    },
  },

  more: {
    more: "Dix de plus",
    searching: "Recherche d’autres passages …",
    none: "Il n’y en a pas d’autres.",
    found: (n) => `${passages(n)} de plus.`,
    narrow: "Restreindre la liste",
    all: "tout",
    kind: "Genre",
    level: "De",
    department: "Département",
    year: "Année",
    university: "Université",
    faculty: "Faculté",
    shown: (n, of) => `${n} sur ${passages(of)} affichés.`,
  },

  earlier: {
    heading: "Déjà demandé sur cet appareil",
    clear: "Les oublier",
    cleared: "Les questions précédentes sont oubliées.",
  },

  suggest: {
    list: "Propositions",
    found: (n) => count(n, { one: "proposition", other: "propositions" }),
    question: "la question",
    earlier: "déjà demandé",
    document: "le document",
    heading: "titre",
  },

  settings: {
    open: "Réglages",
    heading: "Comment chercher sur cet appareil",
    keywords: "Chercher par mots-clés seulement : rien d’autre n’est téléchargé",
    saver: "Ménager les données : télécharger les modèles seulement sur demande",
    history: "Garder mes questions sur cet appareil",
    sources: "Passages affichés avec une réponse",
    context: "Passages lus à côté de chacun",
    words: "Longueur d’une réponse rédigée",
    short: "courte",
    usual: "comme le site l’a réglé",
    long: "longue",
    save: "Utiliser",
    reset: "Comme le site l’a réglé",
    saved: "Les réglages sont gardés sur cet appareil.",
  },

  device: {
    graphics: "Tourne sur le processeur graphique de cet appareil.",
    slower: " C’est plus lent.",
    shared: (workers) => ` ${workers} processus se partagent le travail.`,
    alone: " Un seul processus fait tout, les autres n’ayant pas pu servir.",
    chosen: "Cette page fait tourner le modèle sur le processeur de cet appareil.",
    notOffered:
      "Ce navigateur n’offre pas de processeur graphique à la page ; le modèle tourne donc sur le processeur.",
    software:
      "Cet appareil n’a pas de processeur graphique utilisable par la page ; le modèle tourne donc sur le processeur.",
    failed: "Le processeur graphique n’a pas pu servir, ou a mal calculé ; le modèle tourne donc sur le processeur.",
    lost: "Le processeur graphique a été perdu plus d’une fois ; le modèle tourne donc sur le processeur.",
    full: "Le processeur graphique n’avait pas la place pour le modèle, qui tourne donc sur le processeur.",
    helperLost: "Une partie du programme a été perdue : le modèle redémarre",
    ranOut: "Le processeur graphique n’avait plus de place : le modèle redémarre",
    ranOutToProcessor: "Le processeur graphique n’avait plus de place : suite sur le processeur, plus lent",
    wasLost: "Le processeur graphique a été perdu : le modèle redémarre",
    wasLostToProcessor: "Le processeur graphique a été perdu : suite sur le processeur, plus lent",
    memory: (detail) =>
      `Il n’y avait pas assez de mémoire pour le modèle de langage. ${detail} Fermez d’autres onglets et programmes et réessayez, ou demandez un modèle plus petit à ceux qui publient ce site.`,
    silent:
      "Le modèle de langage ne répondait plus et a été arrêté. Réessayez ; sur un appareil lent, fermez d’abord d’autres onglets et programmes.",
    broken: (detail) => `Le programme qui fait tourner le modèle de langage s’est arrêté (${detail}). Réessayez.`,
    couldNot: (detail) => `Le modèle de langage n’a pas pu rédiger de réponse. ${detail}`,
  },

  kiosk: {
    take: "Emporter",
    scan: "À lire avec votre téléphone",
    code: "Code QR",
    logs: "Les questions restées ici sans réponse sont notées, sans dire qui les a posées.",
    there: "Êtes-vous encore là ?",
    left: (n) =>
      `Cet écran recommence dans ${count(n, { one: "seconde", other: "secondes" })} et oublie ce qui a été demandé.`,
    stay: "Je suis là",
  },

  around: {
    skip: "Aller au champ de question",
    facts: (ofDocuments, ofPassages) => `${documents(ofDocuments)}, ${passages(ofPassages)}.`,
    onDevice:
      " Les réponses sont trouvées dans cette page, sur votre appareil : vos questions ne sont envoyées nulle part.",
    kept: "Gardé sur cet appareil",
    keptAmount: (size) => `${size} des fichiers et modèles du site sont gardés sur cet appareil.`,
    remove: "Supprimer ce qui est gardé",
    removed: "Supprimé. Les fichiers sont téléchargés à nouveau quand il les faut.",
    licences: "Licences",
    theme: "Clair ou sombre",
    light: "Clair",
    dark: "Sombre",
    system: "Comme l’appareil",
    keepAll: "Tout garder pour l’usage sans réseau",
    keptAll: "Tout l’index est gardé : cette page fonctionne sans réseau.",
    install: "Installer comme application",
    newer: "Une version plus récente de cette page est prête. ",
    useNow: "L’utiliser maintenant",
  },
};

/** @type {Record<number, string>} */
const NUMBERS = { 2: "deux", 3: "trois", 4: "quatre", 5: "cinq", 6: "six" };

/** "a, b ou c" @param {string[]} parts */
const either = (parts) => new Intl.ListFormat("fr", { type: "disjunction" }).format(parts);
