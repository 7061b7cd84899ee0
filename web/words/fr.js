// @ts-check
/** Ce que dit la page, en français. */

/** @typedef {import("../words.js").Words} Words */

import { counter, ordinals } from "./counter.js";

const count = counter("fr");
const documents = (/** @type {number} */ n) => count(n, { one: "document", other: "documents" });
const passages = (/** @type {number} */ n) => count(n, { one: "passage", other: "passages" });
const ordinal = ordinals("fr", { one: "er", other: "e" });

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
    settings: "Les réglages sont gardés sur cet appareil.",
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
    nameNowhere: (names) => `Aucune page ne mentionne ${either(names.map((name) => `« ${name} »`))}.`,
    nameMissing: (names) => `Ce qui a été trouvé ne mentionne pas ${either(names.map((name) => `« ${name} »`))}.`,
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
