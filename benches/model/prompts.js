// Prompts for the language model, with its control tokens written out as its own template does.
import { readFileSync } from 'node:fs';

const SYSTEM = 'You are a helpful AI assistant named SmolLM, trained by Hugging Face';

/** @param {string} question @param {string} [system] */
export const chat = (question, system = SYSTEM) =>
  `<|im_start|>system\n${system}<|im_end|>\n<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;

/** Twenty questions of a university's readers, the last of them with a passage to answer from. */
export const QUESTIONS = JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8'));

/**
 * The prompt that is timed, about 270 tokens. The number stands near its beginning, so that no side can
 * reuse what it read in an earlier round.
 * @param {number} round
 */
export const timedPrompt = (round) =>
  chat(QUESTIONS[QUESTIONS.length - 1], `Conversation ${round + 1}. ${SYSTEM}`);
