// node scripts/print-demo.ts : prints the PDFs of the demo's library again, from the project's own pages and a
// recording, with the browser of the tests.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LIBRARY, pathOf } from '../demo/library/library.ts'
import { type RecordingName, readRecording } from '../demo/recordings/recordings.ts'
import { openBrowser } from '../test/support/open-browser.ts'
import { type Cover, documentPage } from './print-demo/document-page.ts'
import { shapeOf, thinned } from './print-demo/recorded-route.ts'
import { routeSheetPage } from './print-demo/route-sheet-page.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const STYLE = fileURLToPath(new URL('print-demo/print.css', import.meta.url))
const FONTS = join(PROJECT, 'node_modules', '@embedpdf', 'fonts-latin', 'fonts')
const CORNERS_ON_COVER = 400

type Source = { markdown: string; subtitle: string; recording: RecordingName; colours: Cover['colours'] }

/** Sources of the documents, by the names of their PDFs. */
const SOURCES: Record<string, Source> = {
  'operating.pdf': {
    markdown: 'docs/operating.md',
    subtitle: 'Install, back up, watch and upgrade a server of one’s own',
    recording: 'torbay',
    colours: { ground: '#0d2538', line: '#37c2b4', echo: '#4f8fb0' },
  },
  'publishing.pdf': {
    markdown: 'docs/publishing.md',
    subtitle: 'From a file to a public page, for programs that publish',
    recording: 'shanghai',
    colours: { ground: '#3a1630', line: '#ff9a76', echo: '#b0567a' },
  },
  'recording.pdf': {
    markdown: 'docs/app-developers.md',
    subtitle: 'For developers of apps: how nothing is lost on a bad network',
    recording: 'lochNess',
    colours: { ground: '#12301f', line: '#b5e27a', echo: '#5d9a6c' },
  },
  'getting-started.pdf': {
    markdown: 'README.md',
    subtitle: 'What it is, how to start it, and a walk through its API',
    recording: 'mosvatnet',
    colours: { ground: '#1d2350', line: '#ffd166', echo: '#6f7bd0' },
  },
}

const closers: (() => Promise<unknown>)[] = []
const browser = await openBrowser({ after: (close) => closers.push(async () => await close()) })
const folder = mkdtempSync(join(tmpdir(), 'print-demo-'))
try {
  for (const font of ['Regular', 'SemiBold', 'Light']) {
    copyFileSync(join(FONTS, `NotoSans-${font}.ttf`), join(folder, `${font}.ttf`))
  }
  copyFileSync(STYLE, join(folder, 'print.css'))
  for (const { title, file } of LIBRARY) {
    const path = join(folder, 'page.html')
    writeFileSync(path, SOURCES[file] === undefined ? await routeSheet() : await documentOf(title, SOURCES[file]))
    const page = await browser.newPage()
    await page.goto(pathToFileURL(path).href)
    await page.pdf({ path: pathOf(file), preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
    await page.close()
  }
} finally {
  await Promise.all(closers.map((close) => close()))
  rmSync(folder, { recursive: true })
}

async function documentOf(title: string, { markdown, recording, ...words }: Source): Promise<string> {
  const { points } = await readRecording(recording)
  const cover = { ...words, title, shape: shapeOf(thinned(points, CORNERS_ON_COVER)) }
  return documentPage(cover, readFileSync(join(PROJECT, markdown), 'utf8'))
}

async function routeSheet(): Promise<string> {
  const { points, totals } = await readRecording('torbay')
  const { distanceMeters = 0, ascentMeters = 0, timerSec = 0 } = totals
  const minutes = Math.round(timerSec / 60)
  return routeSheetPage({
    title: 'Portugal Cove and Torbay',
    subtitle: 'Two laps by bike on the Avalon Peninsula, Newfoundland',
    points,
    figures: {
      Distance: `${(distanceMeters / 1000).toFixed(1)} km`,
      Climb: `${ascentMeters} m`,
      Time: `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`,
    },
  })
}
