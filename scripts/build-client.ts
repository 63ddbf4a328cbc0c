import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Builds the client for apps as JavaScript with types into dist/client, and packs it for
// `npm install <file>`. Built in a folder of its own and then moved into place, so that nothing ever sees
// half of it. A folder named as an argument gets both.

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = join(PROJECT, 'clients', 'typescript')
/** A file of the client as type declarations name it. TypeScript replaces the ending in JavaScript only. */
const OWN_FILE = /((?:from |import\()['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g

buildClient(process.argv[2] ?? join(PROJECT, 'dist'))

function buildClient(place: string): void {
  const unfinished = join(place, 'client-unfinished')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  run(join(PROJECT, 'node_modules', '.bin', 'tsc'), ['-p', SOURCES, '--outDir', unfinished])
  for (const file of globSync('**/*.d.ts', { cwd: unfinished })) {
    const path = join(unfinished, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(OWN_FILE, '$1.js$2'))
  }
  writeFileSync(join(unfinished, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  cpSync(join(SOURCES, 'README.md'), join(unfinished, 'README.md'))
  cpSync(join(PROJECT, 'LICENSE'), join(unfinished, 'LICENSE'))
  const built = join(place, 'client')
  rmSync(built, { recursive: true, force: true })
  renameSync(unfinished, built)
  run('npm', ['pack', '--silent', '--pack-destination', place, built])
}

/** The client has the version of the server, whose API it speaks. */
function manifest(): object {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  return { ...JSON.parse(readFileSync(join(SOURCES, 'package.json'), 'utf8')), version }
}

function run(command: string, args: string[]): void {
  // Windows runs npm and tsc by scripts, for which it needs a shell.
  execFileSync(command, args, { cwd: PROJECT, stdio: 'inherit', shell: process.platform === 'win32' })
}
