import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ActivityFile } from '../../scripts/activity-file/activity-file.ts'
import { shapeOf, thinned } from '../recordings/recorded-route.ts'
import { type RecordingName, readRecording } from '../recordings/recordings.ts'
import type { Cover } from '../typeset/draw-cover.ts'
import { drawRouteSheet } from '../typeset/draw-route-sheet.ts'
import { readMarkdown } from '../typeset/read-markdown.ts'
import { typesetDocument } from '../typeset/typeset-document.ts'

/** A document to publish, and the function that creates its PDF. */
export type PlannedPublication = { title: string; makePdf(): Promise<Buffer> }

const ROOT = new URL('../../', import.meta.url)
const CORNERS_ON_COVER = 400

type Page = { file: string; title: string; subtitle: string; cover: RecordingName; colours: Cover['colours'] }

const PAGES: readonly Page[] = [
  {
    file: 'docs/operating.md',
    title: 'Operating Trackpress',
    subtitle: 'Install, back up, watch and upgrade a server of one’s own',
    cover: 'torbay',
    colours: { ground: '#0d2538', line: '#37c2b4', echo: '#4f8fb0' },
  },
  {
    file: 'docs/publishing.md',
    title: 'Publishing documents',
    subtitle: 'From a file to a public page, for programs that publish',
    cover: 'shanghai',
    colours: { ground: '#3a1630', line: '#ff9a76', echo: '#b0567a' },
  },
  {
    file: 'docs/app-developers.md',
    title: 'Recording tracks',
    subtitle: 'For developers of apps: how nothing is lost on a bad network',
    cover: 'lochNess',
    colours: { ground: '#12301f', line: '#b5e27a', echo: '#5d9a6c' },
  },
  {
    file: 'README.md',
    title: 'Getting started with Trackpress',
    subtitle: 'What it is, how to start it, and a walk through its API',
    cover: 'mosvatnet',
    colours: { ground: '#1d2350', line: '#ffd166', echo: '#6f7bd0' },
  },
]

/** The demo's library: typeset pages of the project and a route sheet. The last one is the newest. */
export const PUBLICATIONS: readonly PlannedPublication[] = [
  ...PAGES.map((page) => ({ title: page.title, makePdf: () => typesetPage(page) })),
  { title: 'Route sheet: Portugal Cove and Torbay', makePdf: drawSheet },
]

async function typesetPage({ file, title, subtitle, cover, colours }: Page): Promise<Buffer> {
  const markdown = await readFile(fileURLToPath(new URL(file, ROOT)), 'utf8')
  const { points } = await readRecording(cover)
  const shape = shapeOf(thinned(points, CORNERS_ON_COVER))
  const words = { title, subtitle, footer: 'Trackpress documentation' }
  return await typesetDocument({ ...words, shape, colours }, readMarkdown(markdown))
}

async function drawSheet(): Promise<Buffer> {
  const { points, totals } = await readRecording('torbay')
  return await drawRouteSheet({
    title: 'Portugal Cove and Torbay',
    subtitle: 'Two laps by bike on the Avalon Peninsula, Newfoundland',
    points,
    figures: figuresOf(totals),
  })
}

function figuresOf({ distanceMeters = 0, ascentMeters = 0, timerSec = 0 }: ActivityFile['totals']): [string, string][] {
  const minutes = Math.round(timerSec / 60)
  return [
    ['Distance', `${(distanceMeters / 1000).toFixed(1)} km`],
    ['Climb', `${ascentMeters} m`],
    ['Time', `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`],
  ]
}
