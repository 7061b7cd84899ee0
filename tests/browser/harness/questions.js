// Questions of the sample campus that several tests ask, with what a right answer holds.

export const ASKED = { question: 'What does late examination registration cost?', answer: /€25/, words: '€25' };

export const OTHERS = [
  {
    question: "How many ECTS do I need before I can register a bachelor's thesis in Water Engineering?",
    answer: /135 ECTS/,
  },
  { question: 'When is the resit period in 2027?', answer: /23 August to 3 September 2027/ },
];

/** With a word that no document has, so that the encoder asks for its vector. */
export const OTHER_WORDS = { question: 'I overslept: what does late examination registration cost?', answer: /€25/ };

/** The documents come near, and do not say it. */
export const UNANSWERABLE = 'Who is the Dean of Studies of the Faculty of Engineering and Environment?';
