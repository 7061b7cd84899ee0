// @ts-check
/** Lo que dice la página cuando ya hay respuesta, y de lo que se abre, en español. */

/** @typedef {import("../later-words.js").LaterWords} LaterWords */

import { counter } from "./counter.js";

const count = counter("es");

/** @type {LaterWords} */
export const words = {
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
    read: "En los pasajes se buscaron las palabras que responden; los que mejor responden van primero.",
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

  campus: {
    asked: "Se ha preguntado a: ",
    missed: (/** @type {string} */ name) => `No se pudo preguntar a ${name}: aquí faltan sus pasajes.`,
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
};
