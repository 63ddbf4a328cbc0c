import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './read-imports.ts'

const DECLARATION = /^export (?:async )?(function\*?|const|class|type|interface) (\w+)/gm
const WORD = /[A-Za-z_$][\w$]*/g

/**
 * Lists exports of the program that no other file names, and functions that only tests name, as `file: name`. Compares
 * words, so an export that shares its name with something else elsewhere counts as used.
 */
export function unusedExports(): string[] {
  const files = globSync(['{src,web,clients,scripts,bench,demo,test}/**/*.{ts,tsx,mjs}'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
  const users = usersByWord(texts)
  return files.filter(isProgram).flatMap((file) => {
    const text = texts.get(file)!
    return [...text.matchAll(DECLARATION)]
      .filter(([, kind, name]) => {
        const others = users.get(name)!.filter((user) => user !== file)
        return others.length === 0 || (kind === 'function' && others.every(isTest) && !isUsedInside(text, name))
      })
      .map(([, , name]) => `${file}: ${name}`)
  })
}

function usersByWord(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const [file, text] of texts) {
    for (const word of new Set(text.match(WORD))) {
      const known = users.get(word)
      if (known === undefined) users.set(word, [file])
      else known.push(file)
    }
  }
  return users
}

/**
 * Tells whether a file is part of the program. Apps use what the client exports; generated files export more than is
 * used.
 */
function isProgram(file: string): boolean {
  return /^(src|web)\//.test(file) && !isTest(file) && !file.startsWith('web/dashboard/generated/')
}

function isTest(file: string): boolean {
  return file.startsWith('test/') || /\.test\.tsx?$/.test(file)
}

function isUsedInside(text: string, name: string): boolean {
  return (text.match(WORD) ?? []).filter((word) => word === name).length > 1
}
