// Questions with their documents, as whole sentences and as what somebody types into a search box.
import { readFile } from 'node:fs/promises';

/** Words that nobody types into a search box. */
const SMALL = new Set(`a about after again all am an and any anything are as at be been before being between both but by can can't
  could did do does don't down for from get got had has have her here him his how i i'm if in inside into is it its just me more
  most much my no nor not of off on once only or other our out over said same says she should so some somebody such than that the
  their them then there these they this those through to too under until up very was we were what when where which while who whom
  why will with would you your back many often long still time`.split(/\s+/));

/**
 * Those of a file that the documents answer.
 * @param {string} file
 * @returns {Promise<{ sentence: string, keywords: string, documents: Set<string> }[]>}
 */
export async function questions(file) {
  const text = await readFile(file, 'utf8');
  return text.trim().split('\n').map((line) => JSON.parse(line)).filter(({ gold }) => gold?.length > 0).map(({ question, gold }) => ({
    sentence: question,
    keywords: keywords(question),
    documents: new Set(gold.map(({ document }) => document)),
  }));
}

function keywords(question) {
  const words = question.replace(/[?.,!]+(?=\s|$)/g, '').split(/\s+/);
  return words.filter((word) => !SMALL.has(word.toLowerCase().replace(/'s$/, ''))).join(' ');
}
