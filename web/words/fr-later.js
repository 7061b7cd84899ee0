// @ts-check
/** Ce que dit la page une fois la réponse affichée, et de ce que l’on ouvre, en français. */

/** @typedef {import("../later-words.js").LaterWords} LaterWords */

import { counter, ordinals } from "./counter.js";

const count = counter("fr");
const ordinal = ordinals("fr", { one: "er", other: "e" });

/** @type {LaterWords} */
export const words = {
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
    read: "Les mots qui répondent ont été cherchés dans les passages ; ceux qui répondent le mieux viennent d’abord.",
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

  campus: {
    asked: "Sites interrogés : ",
    missed: (/** @type {string} */ name) => `${name} n’a pas pu être interrogé : ses passages manquent ici.`,
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
};
