// npm run measure : prints the size and shape of the sources as a table. It reads files, and starts nothing.
import { isNominal } from './measure/comment-style.ts'
import { arrowsBetweenRooms, foldersOf, foldersOfFeatures, operationsPerAudience } from './measure/shape.ts'
import { isTableOrText, isTest, listFiles, readSources, readText, type SourceFile } from './measure/source-files.ts'

const PROGRAM = ['{src,web}/**/*.{ts,tsx}']

const program = readSources(PROGRAM, (path) => !isTest(path))
const server = program.filter(({ path }) => path.startsWith('src/'))
const pages = program.filter(({ path }) => path.startsWith('web/'))
const hand = program.filter(({ path }) => !isTableOrText(path))
const beside = readSources(['{test,scripts,demo}/**/*.{ts,tsx,mjs}', ...PROGRAM], (path) => {
  return isTest(path) || /^(scripts|demo)\//.test(path)
})
const comments = program.flatMap((file) => file.comments)
const folders = foldersOf(hand.map(({ path }) => path))
const tracks = arrowsBetweenRooms('src/tracks', server)
const publications = arrowsBetweenRooms('src/publications', server)

const rows: Record<string, string | number> = {
  'files of src + web, without migrations and texts': hand.length,
  'lines of code in each, on average': (linesOf(hand) / hand.length).toFixed(1),
  folders: folders.size,
  'folders with one file': [...folders.values()].filter((files) => files.length === 1).length,
  'folders of a feature': foldersOfFeatures(hand.map(({ path }) => path)),
  '`Deps` types': countOf(program, /^(export )?type \w*Deps\b/gm),
  '`Pick<`': countOf(program, /\bPick</g),
  'arrows between the rooms of tracks': tracks.all,
  'arrows between the rooms of publications': publications.all,
  'arrows that run up': listed([...tracks.up, ...publications.up]),
  'pairs both ways': listed([...tracks.bothWays, ...publications.bothWays]),
  'operations written per audience': operationsPerAudience(server).length,
  '`setInterval` in src': countOf(server, /\bsetInterval\(/g),
  '`new Piscina`': countOf(server, /\bnew Piscina\b/g),
  'lines of code of src': linesOf(server),
  'lines of code of web': linesOf(pages),
  'lines of code of tests, scripts and demo': linesOf(beside),
  migrations: countOf(server, /^ +'\d{4}-[a-z-]+': /gm),
  'decision records': listFiles(['docs/decisions/*.md']).length,
  'words of docs/operating.md': readText('docs/operating.md').trim().split(/\s+/).length,
  'lines of README.md': readText('README.md').trimEnd().split('\n').length,
  'comments in nominal style': `${((100 * comments.filter(isNominal).length) / comments.length).toFixed(1)} % of ${comments.length}`,
}

const width = Math.max(...Object.keys(rows).map((name) => name.length))
for (const [name, value] of Object.entries(rows)) process.stdout.write(`| ${name.padEnd(width)} | ${value} |\n`)

function linesOf(files: SourceFile[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0)
}

function countOf(files: SourceFile[], pattern: RegExp): number {
  return files.reduce((sum, { code }) => sum + (code.match(pattern)?.length ?? 0), 0)
}

function listed(arrows: string[]): string {
  return arrows.length === 0 ? '0' : `${arrows.length}: ${arrows.join(', ')}`
}
