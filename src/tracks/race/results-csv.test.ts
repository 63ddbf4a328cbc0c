import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { ResultEntry, Results } from './result-schemas.ts'
import { resultsCsv } from './results-csv.ts'

const MORNING_MS = Date.parse('2026-05-03T07:15:30.400Z')

const results = (count: number) => {
  const entry = { rank: 1, bib: '7', name: 'Zoé', state: 'finished', status: null, finish_sec: 5025.6, gap_sec: null }
  const passings = [
    { checkpoint_id: 'end', time_ms: MORNING_MS, elapsed_sec: 5025.6, interval_sec: 2.5, source: 'stop' },
  ]
  return {
    checkpoints: [{ id: 'end', name: 'Arrivée', kind: 'finish', course_distance_m: 21_097 }],
    entries: Array.from({ length: count }, () => ({
      ...entry,
      last_checkpoint: null,
      status_at: null,
      passings,
    })) as unknown as ResultEntry[],
  } as Results
}

const partsOf = (parts: AsyncIterable<string>): Promise<string[]> => Readable.from(parts).toArray()

test('results open in a spreadsheet of the reader, with their words, numbers and times of day', async () => {
  const table = async (language: string) => {
    const parts = await partsOf(resultsCsv(results(1), { language, timeZone: 'Europe/Paris' }))
    return parts.join('').split('\r\n')
  }

  const [head, row] = await table('fr')
  assert.match(head, /^\ufeffPlace;Place dans la catégorie;Dossard;Nom;Catégorie;Statut;Temps;Temps net;/)
  assert.match(head, /;Arrivée – heure;Arrivée – temps de course;Arrivée – ± secondes;Arrivée – source$/)
  assert.match(row, /^1;;7;Zoé;;À l’arrivée;1:23:45,6;/)
  assert.match(row, /;2026-05-03 09:15:30;1:23:45,6;2,5;arrêt à la ligne$/)
  const [englishHead, englishRow] = await table('de')
  assert.match(englishHead, /^\ufeffRank,Rank in category,Bib,Name,Category,Status,Time,Net time,/)
  assert.match(englishRow, /^1,,7,Zoé,,Finished,1:23:45\.6,.*,2\.5,stop at the line$/)
})

test('results of many runners are written in parts', async () => {
  const lengths = (await partsOf(resultsCsv(results(60)))).map((part) => part.trim().split('\r\n').length)

  assert.deepEqual(lengths, [1, 25, 25, 10])
})
