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

  reader: {
    opening: "Abriendo el documento …",
    open: "Abrir el documento",
    newTab: " (en otra pestaña)",
    long: "Este documento es muy largo; se muestra la parte en torno al pasaje. ",
    all: "Mostrarlo todo",
    failed: (why) => `No se pudo abrir el documento entero. ${why}`,
    passage: "Este es el pasaje:",
    table: "Tabla",
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

  profile: {
    heading: "¿Quién pregunta?",
    note: "Los documentos que son para otros se dejan fuera, y se te dice. Lo que indiques aquí queda en este dispositivo.",
    save: "Buscar para mí",
    forget: "Olvidar esto",
    notTold: "sin indicar",
    programme: "Titulación",
    department: "Departamento",
    faculty: "Facultad",
    specialisation: "Especialidad",
    batch: "Promoción (el año en que empezaste)",
    year: "Año de estudios",
    semester: "Semestre de estudios",
    courses: "Asignaturas que cursas o has cursado",
    for: "para: ",
    everybody: "todos",
    change: (who) => `Se busca para: ${who}. Cambiar`,
    tell: "Se busca para todos. Decir quién eres",
    ofFaculty: (name) => `facultad ${name}`,
    ofBatch: (name) => `promoción ${name}`,
    ofYear: (n) => `año ${n}`,
    ofSemester: (n) => `semestre ${n}`,
    ofCourses: (n) => count(n, { one: "asignatura", other: "asignaturas" }),
  },

  prose: {
    heading: "Escrito por un modelo de lenguaje",
    write: "Escribir una respuesta con un modelo de lenguaje (en este dispositivo)",
    writeAfter: (size) => `Escribir una respuesta con un modelo de lenguaje (${size}, en este dispositivo)`,
    ready: (model) =>
      `Un experimento. ${model} está listo. Solo recibe los pasajes que se muestran aquí, y yerra más a menudo que ellos.`,
    fetches: (model) =>
      `Un experimento. Descarga ${model} una vez y lo guarda. Solo recibe los pasajes que se muestran aquí, yerra más a menudo que ellos, y nada sale de este dispositivo.`,
    reading: "Leyendo los pasajes",
    isReading: (where) => `El modelo de lenguaje lee los pasajes. ${where}`,
    writing: "Escribiendo",
    writingWords: (n) => `Escribiendo: ${count(n, { one: "palabra", other: "palabras" })}`,
    readies: "Preparando",
    asksForProgram: "Pidiendo el programa que ejecuta el modelo",
    fetchesProgram: "Descargando el programa que ejecuta el modelo",
    fetchesModel: (model) => `Descargando ${model}`,
    fetchesSize: (model, size) => `Descargando ${model}, ${size}`,
    modelReadies: (model) => `Preparando ${model}`,
    stop: "Parar",
    again: "Escribir de nuevo",
    by: (model) => `Escrito por ${model} en este dispositivo.`,
    stoppedBy: (model) => `Parado. Escrito por ${model} en este dispositivo.`,
    pace: (tokens, time) => ` ${tokens} tokens en ${time}.`,
    beware: " Puede ser falso: compáralo con las fuentes.",
    wasStopped: "Se paró el modelo de lenguaje.",
    hasFinished: "El modelo de lenguaje ha terminado.",
    checking: "Cada frase se compara con las fuentes…",
    unchecked: (why) => `No se pudieron comparar las frases con las fuentes. ${why}`,
    uncheckedHidden: (why) =>
      `No se pudieron comparar las frases con las fuentes, así que no se muestra ninguna. ${why}`,
    tryProcessor: "Probar en el procesador (más lento)",
    device: "Qué puede hacer este dispositivo",
    notFound: "El modelo no encontró la respuesta en estos pasajes.",
    noClaims: "Ninguna frase afirma algo que se pueda comparar con las fuentes.",
    allFound:
      "Cada frase se encontró en las fuentes, hasta donde puede decirlo una red pequeña. Si responde a la pregunta, júzgalo tú.",
    noneShown:
      "Nada de lo que escribió el modelo estaba en las fuentes y venía al caso a la vez, así que no se muestra nada.",
    marked: (n, of) =>
      `Comparado con las fuentes: ${count(n, { one: "frase", other: "frases" })} de ${of} no ${n === 1 ? "se encontró y está marcada" : "se encontraron y están marcadas"}.`,
    leftOut: (n, of) =>
      `Comparado con las fuentes: ${count(n, { one: "frase", other: "frases" })} de ${of} no ${n === 1 ? "se encontró o no viene al caso, y se omite" : "se encontraron o no vienen al caso, y se omiten"}.`,
    unfound: " (no está en las fuentes)",
    unstated: (what) => ` (no está en las fuentes: ${what})`,
  },

  copy: {
    copy: "Copiar",
    text: "Como texto, con su fuente",
    markdown: "En formato Markdown",
    link: "Un enlace a esta pregunta",
    done: "Copiado.",
    byHand: "Esta página no puede escribir en el portapapeles: cópialo desde aquí.",
    print: "Imprimir",
    asked: (question, site, day) => `Preguntado: «${question}», en ${site}, el ${day}:`,
  },

  judge: {
    ask: "¿Era correcto?",
    yes: "Sí",
    no: "No",
    thanks: "Anotado solo en este dispositivo.",
    tell: "Decírselo al departamento",
    kept: (n) =>
      `Lo que dijiste de ${count(n, { one: "respuesta", other: "respuestas" })} está anotado en este dispositivo.`,
    save: "Guardarlo en un archivo",
    forget: "Olvidarlo",
  },

  why: {
    heading: "Por qué esta respuesta",
    question: (question) => `Se buscó: ${question}`,
    confidence: (percent) => `De las respuestas que parecen tan seguras como esta, aciertan más o menos el ${percent}.`,
    read: "En los pasajes se buscaron las palabras que responden.",
    unread: "En los pasajes no se buscaron las palabras que responden.",
    terms: (terms) => `Palabras consultadas, en su forma básica: ${terms}.`,
    expansion: (found, added) => `También se buscó «${added}», que significa lo mismo que «${found}».`,
    sources: "Cómo se encontró cada fuente: su puesto y su valor en la escala de esa búsqueda",
    source: "Fuente",
    lexical: "Palabras clave",
    dense: "Significado",
    instant: "Significado, a grandes rasgos",
    late: "Palabra por palabra",
    cross: "Leído con la pregunta",
    fused: "En conjunto",
    score: (rank, score) => `${rank}.º (${score})`,
    stages: "Lo que se hizo, por orden",
    stage: "Paso",
    candidates: "Pasajes después",
    time: "Tiempo",
    names: {
      spelling: "Corregir palabras",
      synonyms: "Palabras del mismo significado",
      filter: "Dejar fuera lo que es para otros",
      lexical: "Palabras clave",
      embed: "Leer la pregunta",
      dense: "Significado",
      further: "Otras palabras y partes",
      feedback: "Palabras de los mejores pasajes",
      fused: "Reunir las listas",
      rerank: "Comparar palabra por palabra",
      families: "Páginas del mismo tipo",
      cross: "Leer con la pregunta",
      levels: "Niveles de la universidad",
      cut: "Terminar la lista",
      passages: "Traer los pasajes",
      neighbours: "Traer lo que está al lado",
      conflicts: "Buscar contradicciones",
    },
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

  earlier: {
    heading: "Preguntado antes en este dispositivo",
    clear: "Olvidarlas",
    cleared: "Las preguntas anteriores están olvidadas.",
  },

  suggest: {
    list: "Sugerencias",
    found: (n) => count(n, { one: "sugerencia", other: "sugerencias" }),
    question: "pregunta",
    earlier: "preguntado antes",
    document: "documento",
    heading: "título",
  },

  settings: {
    open: "Ajustes",
    heading: "Cómo buscar en este dispositivo",
    keywords: "Buscar solo por palabras clave: no se descarga nada más",
    saver: "Ahorrar datos: descargar modelos solo cuando yo lo diga",
    history: "Guardar mis preguntas en este dispositivo",
    sources: "Pasajes que se muestran con una respuesta",
    context: "Pasajes que se leen junto a cada uno",
    words: "Longitud de una respuesta escrita",
    short: "corta",
    usual: "como la tiene el sitio",
    long: "larga",
    save: "Usar estos",
    reset: "Como los tiene el sitio",
    saved: "Los ajustes están guardados en este dispositivo.",
  },

  device: {
    graphics: "Se ejecuta en el procesador gráfico de este dispositivo.",
    slower: " Es más lento.",
    shared: (workers) => ` ${workers} procesos se reparten el trabajo.`,
    alone: " Un solo proceso lo hace todo, porque los demás no se pudieron usar.",
    chosen: "Esta página ejecuta el modelo en el procesador de este dispositivo.",
    notOffered:
      "Este navegador no ofrece procesador gráfico a la página, así que el modelo se ejecuta en el procesador.",
    software:
      "Este dispositivo no tiene un procesador gráfico que la página pueda usar, así que el modelo se ejecuta en el procesador.",
    failed:
      "El procesador gráfico no se pudo usar, o no calculó como debía, así que el modelo se ejecuta en el procesador.",
    lost: "El procesador gráfico se perdió más de una vez, así que el modelo se ejecuta en el procesador.",
    full: "El procesador gráfico no tenía sitio para el modelo, así que se ejecuta en el procesador.",
    helperLost: "Se perdió una parte del programa: el modelo se inicia de nuevo",
    ranOut: "El procesador gráfico se quedó sin sitio: el modelo se inicia de nuevo",
    ranOutToProcessor: "El procesador gráfico se quedó sin sitio: se sigue en el procesador, más lento",
    wasLost: "Se perdió el procesador gráfico: el modelo se inicia de nuevo",
    wasLostToProcessor: "Se perdió el procesador gráfico: se sigue en el procesador, más lento",
    memory: (detail) =>
      `No había memoria suficiente para el modelo de lenguaje. ${detail} Cierra otras pestañas y programas e inténtalo de nuevo, o pide a quienes publican este sitio un modelo más pequeño.`,
    silent:
      "El modelo de lenguaje dejó de responder y se detuvo. Inténtalo de nuevo; en un dispositivo lento, cierra antes otras pestañas y programas.",
    broken: (detail) => `Falló el programa que ejecuta el modelo de lenguaje (${detail}). Inténtalo de nuevo.`,
    couldNot: (detail) => `El modelo de lenguaje no pudo escribir una respuesta. ${detail}`,
  },

  kiosk: {
    take: "Llévatelo",
    scan: "Escanéalo con tu teléfono",
    code: "Código QR",
    logs: "Las preguntas que aquí quedan sin respuesta se anotan, sin quién preguntó.",
    there: "¿Sigues ahí?",
    left: (n) =>
      `Esta pantalla empieza de nuevo en ${count(n, { one: "segundo", other: "segundos" })} y olvida lo preguntado.`,
    stay: "Sigo aquí",
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
