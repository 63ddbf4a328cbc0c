import { setTimeout as wait } from 'node:timers/promises'
import { showText } from '../../test/support/make-pdf.ts'
import { makeScan } from '../../test/support/make-scan.ts'
import { createPublication, findPublication, newTicket, type Published, putBytes } from '../load/publish-pdf.ts'
import { peakMemory } from '../program/process-memory.ts'
import { readProcessorTime, timeBetween } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { untilQuiet } from '../program/until-quiet.ts'
import type { Figure } from '../report/figure.ts'
import type { Part } from './part.ts'

/** A page of A4, in points. */
const PAGE = { widthPt: 595, heightPt: 842 }
const LINES = 44
const PAGES = 4
const QUIET_MS = 1_500
const QUIET_WITHIN_MS = 60_000
const MIB = 1_048_576

/** Sentences of both languages, in WinAnsi; accents are escaped as in PDF. */
const SENTENCES = {
  English: [
    'The council met on Tuesday and approved the accounts of the previous year without debate.',
    'Three bridges across the river will be closed to heavy traffic between March and October.',
    'Visitors who arrive by train find the museum opposite the station, behind the old market.',
    'Of 1,250 households that were asked, 84 per cent would rather keep the present timetable.',
    'Nobody knows who built the tower; its oldest stones were cut in the thirteenth century.',
    'Please send your answer to the secretary, who will forward it to the working committee.',
  ],
  French: [
    "Le conseil s'est r\\351uni mardi et a approuv\\351 les comptes de l'ann\\351e pr\\351c\\351dente sans d\\351bat.",
    'Trois ponts sur le fleuve seront ferm\\351s aux poids lourds entre les mois de mars et octobre.',
    'Les visiteurs qui arrivent en train trouvent le mus\\351e face \\340 la gare, derri\\350re le march\\351.',
    'Sur 1250 m\\351nages interrog\\351s, 84 pour cent pr\\351f\\350rent conserver les horaires actuels.',
    'Personne ne sait qui a b\\342ti la tour; ses plus vieilles pierres datent du treizi\\350me si\\350cle.',
    'Merci de faire parvenir votre r\\351ponse au secr\\351tariat, qui la transmettra au comit\\351.',
  ],
}

/** The recognition of scans made from known text, at 300 dots an inch. */
export const recognition: Part = {
  name: 'recognition',
  title: 'Recognition of scanned pages of A4 at 300 dots an inch',
  engines: 'SQLite',
  async *measure({ engine }) {
    for (const [language, sentences] of Object.entries(SENTENCES)) yield await measureLanguage(language, sentences)

    async function measureLanguage(language: string, sentences: readonly string[]): Promise<Figure[]> {
      const texts = Array.from({ length: PAGES }, (_, page) =>
        Array.from({ length: LINES }, (_, line) => sentences[(page + line) % sentences.length]),
      )
      const ends: (() => void)[] = []
      const pages = texts.map((lines) => ({
        content: lines.map((text, at) => showText(text, 60, 780 - 16 * at, 11)).join('\n'),
        mediaBox: `[0 0 ${PAGE.widthPt} ${PAGE.heightPt}]`,
      }))
      const scan = await makeScan({ after: (end) => void ends.push(end) }, pages, [], PAGE)
      for (const end of ends) end()
      const server = await engine.start({ OCR: 'on' })
      await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
      const { slug, ms, spentMs, peakBytes } = await recognize(server, scan)
      const found = await Promise.all(texts.map((_, at) => textOfPage(server, slug, at + 1)))
      await server.stop()
      const shares = texts.map((lines, at) => shareOfWords(lines.map(unescaped).join(' '), found[at]))
      const name = `${language}, ${LINES} lines of 11 points`
      return [
        {
          what: `${name}: a page`,
          value: ms / 1000 / (PAGES - 1),
          unit: 's',
          beside: `processor time ${(spentMs / 1000 / (PAGES - 1)).toFixed(1)} s`,
        },
        { what: `${name}: highest memory of the program`, value: peakBytes / MIB, unit: 'MiB' },
        {
          what: `${name}: share of words right`,
          value: shares.reduce((sum, share) => sum + share, 0) / shares.length,
          unit: '',
          goal: { atLeast: 0.98 },
        },
      ]
    }
  },
}

async function recognize(server: Target, scan: Buffer) {
  const ticket = await newTicket(server)
  await putBytes(ticket.uploadUrl, scan)
  const { slug } = await createPublication(server, ticket)
  const until = async (isReached: (one: Published) => boolean) => {
    while (!isReached(await findPublication(server, slug))) await wait(50)
  }
  await until(({ pages_recognized }) => pages_recognized === 1)
  // The first page also waits for rendering, and for the engine to start.
  const [startMs, before] = [performance.now(), readProcessorTime(server.pid)]
  const peakBytes = await peakMemory(server.pid, () => until(({ pages_recognized }) => pages_recognized === PAGES))
  const spent = timeBetween(before, readProcessorTime(server.pid))
  return { slug, ms: performance.now() - startMs, spentMs: spent.totalUs / 1000, peakBytes }
}

async function textOfPage(server: Target, slug: string, page: number): Promise<string> {
  const answer = await fetch(`${server.url}/publications/${slug}/pages/${page}`)
  return ((await answer.json()) as { text: string }).text
}

/** Returns the share of expected words that were found, each as often as it is there. */
function shareOfWords(expected: string, found: string): number {
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')
  const left = new Map<string, number>()
  for (const word of wordsOf(found)) left.set(word, (left.get(word) ?? 0) + 1)
  const words = wordsOf(expected)
  let right = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    right++
  }
  return right / words.length
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
