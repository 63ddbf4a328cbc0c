import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** A source file: `code` is its text with blanks in place of comments, `lines` counts lines with code. */
export type SourceFile = { path: string; text: string; code: string; lines: number; comments: string[] }

const ROOT = join(import.meta.dirname, '..', '..')

/** Reads the source files that match the patterns, tests apart unless the patterns name them. */
export function readSources(patterns: string[], isIncluded: (path: string) => boolean = () => true): SourceFile[] {
  return listFiles(patterns)
    .filter(isIncluded)
    .map((path) => readSource(path, readText(path)))
}

/** Lists files by their path in the project, with slashes on every platform. */
export function listFiles(patterns: string[]): string[] {
  const files = globSync(patterns, {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'test/acceptance/generated-types/api/**', 'web/dashboard/generated/**'],
  })
  return files.map((path) => path.split(sep).join('/')).sort()
}

/** Reads a text of the project. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function isTest(path: string): boolean {
  return path.startsWith('test/') || path.includes('/test/') || /\.test\.tsx?$/.test(path)
}

/** Tables and texts grow with what they list, so they say nothing about how code is cut into files. */
export function isTableOrText(path: string): boolean {
  return /\/migrations\/|\/i18n\/(en|fr)\b/.test(path)
}

/** Takes comments and code of a source file apart. */
export function readSource(path: string, text: string): SourceFile {
  const { comments } = parseSync(path, text)
  const code = comments.reduceRight((rest, { start, end }) => blank(rest, start, end), text)
  const lines = code.split('\n').filter((line) => line.trim() !== '').length
  return { path, text, code, lines, comments: joinLines(comments, text) }
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end)
}

type Comment = ReturnType<typeof parseSync>['comments'][number]

/** Returns the texts of comments in one line each. Line comments below each other are one comment. */
function joinLines(comments: Comment[], text: string): string[] {
  const joined: string[] = []
  comments.forEach(({ type, value, start }, i) => {
    const words = value.replace(/^\s*\*+|\n\s*\*/g, ' ').trim()
    const previous = comments[i - 1]
    const continues = type === 'Line' && previous?.type === 'Line' && text.slice(previous.end, start).trim() === ''
    if (continues) joined[joined.length - 1] += ` ${words}`
    else joined.push(words.replace(/\s+/g, ' '))
  })
  return joined
}
