// @ts-check
/** Lo que dice la página, en español. */

/** @typedef {import("../words.js").Words} Words */

import { counter } from "./counter.js";

const count = counter("es");
const documents = (/** @type {number} */ n) => count(n, { one: "documento", other: "documentos" });
const passages = (/** @type {number} */ n) => count(n, { one: "pasaje", other: "pasajes" });

/** @type {Words} */
export const words = {
  language: "es",
  direction: "ltr",
  documents,
  passages,

  close: "Cerrar",
  cancel: "Cancelar",
  tryAgain: "Reintentar",
  startAgain: "Empezar de nuevo",
  details: "Qué ha pasado, en detalle",
  source: (number, title) => `Fuente ${number}: ${title}`,
  page: (label) => `página ${label}`,

  size: {
    bytes: (n) => count(n, { one: "byte", other: "bytes" }),
    progress: (loaded, total) => `${loaded} de ${total}`,
    underAMillisecond: "menos de 1 ms",
  },

  box: {
    label: "Tu pregunta",
    placeholder: "Pregunta con tus propias palabras",
    ask: "Preguntar",
    opener: "Preguntar a los documentos",
    examples: "Preguntas para empezar",
    doing: "Lo que hace esta página",
    control: "Ctrl",
  },

  status: {
    opening: "Abriendo el índice",
    searching: "Buscando …",
    quiet: "Tarda más de lo debido: hace un rato que no llega nada.",
    byKeywords: (time) => `Búsqueda por palabras clave en ${time}`,
    byRoughMeaning: (time) => `Búsqueda por palabras clave y, a grandes rasgos, por significado en ${time}`,
    byMeaning: (time) => `Búsqueda por palabras clave y significado en ${time}`,
    byKeywordsReworded: (time) => `Búsqueda por palabras clave, también con otras palabras, en ${time}`,
    byRoughMeaningReworded: (time) =>
      `Búsqueda por palabras clave y, a grandes rasgos, por significado, también con otras palabras, en ${time}`,
    byMeaningReworded: (time) => `Búsqueda por palabras clave y significado, también con otras palabras, en ${time}`,
    rewording: "La pregunta se formula con otras palabras …",
    roughToSpareData: "Por significado solo a grandes rasgos, para ahorrar tus datos.",
    keywordsToSpareData: "Solo por palabras clave, para ahorrar tus datos.",
    fetchModel: (size) => `Descargar el modelo de lectura, ${size}`,
    roughWithoutModel: "Por significado solo a grandes rasgos: falta el modelo de lectura.",
    keywordsWithoutModel: "Solo por palabras clave: falta el modelo de lectura.",
    keywordsUntilModel: "Solo por palabras clave hasta que llegue el modelo de lectura.",
    modelReadies: "Preparando el modelo de lectura",
    modelArrives: "Llega el modelo de lectura",
    wholeSentences: "Las respuestas son frases enteras: falta lo que encuentra las palabras en ellas.",
    offerKeeping: "Para preguntar sin red, guarda todo el índice en este dispositivo.",
    keep: "Guardarlo",
    keepSize: (size) => `Guardarlo, ${size}`,
    keeping: "Guardando el índice para usarlo sin red",
    notAllKept: "No se pudo guardar todo el índice para usarlo sin red.",
    noNetwork: "Sin red: las respuestas salen de lo que este dispositivo ha guardado.",
    incomplete: "Una parte de este sitio no llegó; puede que aquí falte algo.",
    partsMissing:
      "No se pudo cargar una parte de la página: el formulario sobre ti o el texto redactado. Recárgala para intentarlo de nuevo.",
    noDocument: (why) => `No se pudo abrir el documento. ${why}`,
    howRead: "Cómo se leen los pasajes",
  },

  trouble: {
    offline: "No hay red, y este dispositivo no ha guardado lo que hace falta.",
    program:
      "El programa que busca no llegó entero o falló. Inténtalo de nuevo; si sigue así, avisa a quienes publican este sitio.",
    part: "Una parte de este sitio no llegó como debía. Inténtalo de nuevo; si sigue así, avisa a quienes publican este sitio.",
    browser:
      "Este navegador no puede ejecutar el programa que busca: es demasiado antiguo, o un ajuste de seguridad estricto (como el modo de aislamiento) desactiva WebAssembly. Usa otro navegador o permítelo para este sitio.",
    notOpened: "No se pudo abrir el índice de este sitio.",
    notAnswered: "No se pudo responder a esta pregunta.",
  },

  spoken: {
    forEverybody: "Se busca para todos.",
    forYou: "Se busca para ti.",
    settings: "Los ajustes están guardados en este dispositivo.",
    refined: "Los resultados se han afinado por significado.",
    direct: (n) => `Se muestra una respuesta, con ${passages(n)}.`,
    section: (n) => `Se muestra una sección que lo trata, con ${passages(n)}.`,
    possible_section: (n) => `Se muestra una sección que quizá lo trata, con ${passages(n)}.`,
    qualified: (n) => `Se muestra una respuesta posible, con ${passages(n)}.`,
    refusal: (n) => `No hay una respuesta clara, con ${passages(n)}.`,
  },

  answer: {
    direct: "Respuesta",
    section: "Esta sección lo trata",
    possible_section: "Esta sección quizá lo trata",
    qualified: "Respuesta posible",
    refusal: "No hay una respuesta clara",
    looking: "Buscando la respuesta",
    incomplete: "No se pudo buscar en todo",
    incompleteRefusal:
      "En lo que ha llegado de este sitio no hay una respuesta clara. Puede que la haya en lo que falta.",
    unclear: "Ningún pasaje lo responde con claridad.",
    nothing: "Nada en los documentos coincide con esta pregunta.",
    wordsAlone: "Pasajes con palabras de la pregunta",
    quotedFrom: "Citado de ",
    ask: "Pregunta a: ",
    yes: "Sí",
    no: "No",
    depends: "Depende",
    awaitsProgram:
      "Ya hay pasajes con palabras de la pregunta. El programa que busca en ellos la respuesta está en camino.",
    beingRead: "Los pasajes están aquí. Se buscan en ellos las palabras que responden.",
    awaitsModel: "Ya hay pasajes. El modelo que busca en ellos la respuesta está en camino.",
    awaitsMeaning:
      "Solo con las palabras no se ha encontrado nada hasta ahora. El modelo que busca por significado está en camino.",
  },

  advice: {
    otherPage: (title) => `Esto es de «${title}», que no es la página que nombra la pregunta.`,
    eachSide: "No es seguro: para cada lado, esto es lo que más se acerca.",
    oddsOfAnswer: (of) => `No es seguro: acierta más o menos una de cada ${NUMBERS[of]} respuestas así.`,
    oddsOfSection: (of) =>
      `No es seguro: más o menos una de cada ${NUMBERS[of]} secciones así contiene lo que se pregunta.`,
    sideMissing: (side) => `Ningún pasaje cercano trata de «${side}».`,
    otherLanguage: (language) =>
      `Los documentos no están en ese idioma (${language}): preguntando en el suyo, quizá se encuentre más.`,
    fewerWords: "Con otras palabras, o con menos, quizá se encuentre más.",
    nearestByWords: (n) => `Búsqueda por palabras: ${documents(n)}. Los pasajes más cercanos se muestran tal como son.`,
    nearestByMeaning: (n) =>
      `Búsqueda por palabras y significado: ${documents(n)}. Los pasajes más cercanos se muestran tal como son.`,
    nearest: "Los pasajes más cercanos se muestran tal como son.",
    nameIt: "Con otras palabras, o con el nombre de una asignatura o una oficina, quizá se encuentre más.",
    nameNowhere: (names) => `Ninguna página menciona ${either(names.map((name) => `«${name}»`))}.`,
    nameMissing: (names) => `Lo que se encontró no menciona ${either(names.map((name) => `«${name}»`))}.`,
    wordMissing: (missing) =>
      `Ningún pasaje cercano contiene ${either(missing.map((word) => `«${word}»`))}: con otra palabra quizá se encuentre más.`,
  },

  sources: {
    passages: "Pasajes",
    byKeywords: "Pasajes por palabras clave",
    sources: "Fuentes",
    nearest: "Pasajes más cercanos",
    alsoIn: "Lo mismo está en",
    rankByKeywords: (rank) => `${rank}.º por palabras clave`,
    rankByMeaning: (rank) => `${rank}.º por significado`,
    rankByRoughMeaning: (rank) => `${rank}.º por significado, a grandes rasgos`,
  },

  notes: {
    askedAs: "Preguntado así: ",
    asTyped: "Preguntar con las palabras que escribí",
    narrowed: (field, value) => `Para ${field} ${value}, solo en esta pregunta. `,
    forAll: "Preguntar para todos",
    everyone: "También se muestran pasajes para otros. ",
    mineOnly: "Mostrar solo los que son para mí",
    showOne: "Mostrarlo",
    showAll: "Mostrarlos",
    forOthers: (n) => count(n, { one: "pasaje es para otros", other: "pasajes son para otros" }),
    notToday: (n) => count(n, { one: "pasaje no vale hoy", other: "pasajes no valen hoy" }),
    differs: (_, nearer, near, farther, far) =>
      `La norma (${nearer}) difiere de la otra (${farther}): ${near}, ${far}.`,
    reason: (aspect, document, profile) => `${aspect}: para ${document}, y el perfil dice ${profile}`,
    untimely: (document, day) => `${document}; se pregunta por el ${day}`,
    corrected: (instead, word) => `Se buscó «${instead}»: ningún documento contiene «${word}».`,
    depends: (field) => `La respuesta depende de esto (${field}). ¿Cuál?`,
    madeUp: "Un pasaje inventado para buscar otros parecidos; no está en ningún documento: ",
    otherWords: (n) =>
      `También se buscó con ${count(n, { one: "otra formulación", other: "otras formulaciones" })}, del modelo de lenguaje de este dispositivo.`,
  },

  fields: {
    programme: "titulación",
    department: "departamento",
    faculty: "facultad",
    specialisation: "especialidad",
    batch: "promoción",
    course: "asignatura",
    year: "año de estudios",
    semester: "semestre de estudios",
  },

  more: {
    more: "Mostrar diez más",
    searching: "Buscando más …",
    none: "No hay más.",
    found: (n) => `${passages(n)} más.`,
    narrow: "Acotar la lista",
    all: "todo",
    kind: "Tipo",
    level: "De",
    department: "Departamento",
    year: "Año",
    university: "Universidad",
    faculty: "Facultad",
    shown: (n, of) => `Se muestran ${n} de ${passages(of)}.`,
  },

  around: {
    skip: "Ir al campo de la pregunta",
    facts: (ofDocuments, ofPassages) => `${documents(ofDocuments)}, ${passages(ofPassages)}.`,
    onDevice: " Las preguntas se responden en esta página, en tu dispositivo: no se envían a ninguna parte.",
    kept: "Guardado en este dispositivo",
    keptAmount: (size) => `${size} de los archivos y modelos del sitio están guardados en este dispositivo.`,
    remove: "Quitar lo guardado",
    removed: "Quitado. Los archivos se descargan de nuevo cuando hacen falta.",
    licences: "Licencias",
    theme: "Claro u oscuro",
    light: "Claro",
    dark: "Oscuro",
    system: "Como el dispositivo",
    keepAll: "Guardarlo todo para usarlo sin red",
    keptAll: "Todo el índice está guardado: esta página funciona sin red.",
    install: "Instalar como aplicación",
    newer: "Hay una versión más nueva de esta página. ",
    useNow: "Usarla ahora",
  },
};

/** @type {Record<number, string>} */
const NUMBERS = { 2: "dos", 3: "tres", 4: "cuatro", 5: "cinco", 6: "seis" };

/** "a, b o c" @param {string[]} parts */
const either = (parts) => new Intl.ListFormat("es", { type: "disjunction" }).format(parts);
