import { readFileSync } from 'node:fs'
import { compareMarkdown } from './compare.ts'
import type { RunResult } from './figure.ts'

/** Reads two stored runs and formats them side by side. @throws if it is not given two files */
export function compareFiles(files: readonly string[]): string {
  if (files.length !== 2) throw new Error('--compare takes two files: before.json after.json')
  const [before, after] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as RunResult)
  return compareMarkdown(before, after)
}
