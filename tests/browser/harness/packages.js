// The packages for npm as they are published: packed, and installed into an empty project.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { required } from './chromium.js';
import { ROOT } from './command.js';

const execute = promisify(execFile);

/** Runs a program to its end; what it printed is part of the error. @type {typeof execute} */
export const run = (...words) =>
  execute(...words).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
  });

/** A program that one of the pinned packages brings. @param {string} name */
export const tool = (name) => join(required('CAMPANILE_NODE_TOOLS'), 'node_modules/.bin', name);

/**
 * Installs a package, and nothing else, into a project of its own; gives the project's folder.
 * @param {string} name
 */
export async function installedPackage(name) {
  const work = join(required('CAMPANILE_WORK'), `${name}-package`);
  await rm(work, { recursive: true, force: true });
  const project = join(work, 'project');
  await mkdir(project, { recursive: true });
  const { stdout } = await run('node', [join(ROOT, 'web/packages/assemble.js'), tool('tsc'), join(work, 'packages')]);
  const packed = stdout.split('\n').find((line) => line.includes(`/campanile-${name}-`));
  assert.ok(packed, stdout);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  // Whatever it depended on would not be found.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: project });
  return project;
}
