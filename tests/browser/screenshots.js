// Takes the pictures of the README: `cargo xtask screenshots`. The folder for them is the one argument.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from './harness/chromium.js';
import { serve } from './harness/command.js';
import { ASKED } from './harness/questions.js';
import { visit } from './harness/reader.js';
import { sampleSite } from './harness/site.js';

const VIEWS = [
  { name: 'answer', options: { viewport: { width: 1120, height: 760 }, colorScheme: 'light' } },
  { name: 'answer-dark', options: { viewport: { width: 1120, height: 760 }, colorScheme: 'dark' } },
  {
    name: 'phone',
    options: { viewport: { width: 390, height: 780 }, colorScheme: 'light', isMobile: true, hasTouch: true },
  },
  {
    name: 'phone-dark',
    options: { viewport: { width: 390, height: 780 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
  },
];

const [folder = 'docs/images'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const [browser, server] = await Promise.all([launch(), serve(await sampleSite())]);
try {
  for (const { name, options } of VIEWS) {
    await visit(
      browser,
      server.origin,
      async (reader) => {
        await reader.askFor(ASKED.question);
        await reader.kept();
        await reader.page.mouse.move(0, 0);
        const path = join(folder, `${name}.png`);
        await reader.page.screenshot({ path, animations: 'disabled' });
        console.log(path);
      },
      { ...options, deviceScaleFactor: 1.5, reducedMotion: 'reduce' },
    );
  }
} finally {
  await browser.close();
  await server.stop();
}
