import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Owner } from '../../support/databases.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAM = join('dist', 'server', 'main.js')

/** A built server of another version. */
export type OlderProgram = { main: string; version: string }

/**
 * Returns the server of a git revision, checked out and built in a temporary folder, or the one of a folder that is
 * built already. Needs the history of the repository, and npm if the packages differ.
 */
export function buildOlderProgram(owner: Owner, from: string): OlderProgram {
  if (existsSync(join(from, 'package.json'))) return programIn(resolve(from))
  const folder = join(mkdtempSync(join(tmpdir(), 'older-')), 'checkout')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  git('worktree', 'add', '--detach', folder, from)
  owner.after(() => {
    git('worktree', 'remove', '--force', folder)
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (lockOf(folder) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else run('npm', 'ci', '--no-audit', '--no-fund')
  run(process.execPath, 'scripts/build-web.ts')
  run(process.execPath, '--no-warnings', 'scripts/build-server.ts')
  return programIn(folder)
}

function programIn(folder: string): OlderProgram {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { main: join(folder, PROGRAM), version }
}

function lockOf(folder: string): string {
  return readFileSync(join(folder, 'package-lock.json'), 'utf8')
}
