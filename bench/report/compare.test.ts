import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareMarkdown } from './compare.ts'
import type { Figure, RunResult } from './figure.ts'

test('two runs are compared figure by figure, also where one lacks it', () => {
  const before = run('aaaaaaa', [figure('a start', 640), figure('gone', 1)])
  const after = run('bbbbbbb', [figure('a start', 320), { ...figure('new', 12), at: 100_000 }])

  const page = compareMarkdown(before, after)

  assert.match(page, /\| a start \| 640 ms \| 320 ms \| 0\.50 \| at most 400 ms \|/)
  assert.match(page, /\| new: 100,000 \| not measured \| 12 ms \| {2}\| at most 400 ms \|/)
  assert.match(page, /\| gone \| 1 ms \| not measured \| {2}\| at most 400 ms \|/)
})

function figure(what: string, value: number): Figure {
  return { what, value, unit: 'ms', goal: { atMost: 400 } }
}

function run(commit: string, figures: Figure[]): RunResult {
  const results = [{ part: 'starting', engine: 'SQLite', figures }]
  return { commit, date: '2026-05-03T06:00', machine: [], options: '', results, failures: [] }
}
