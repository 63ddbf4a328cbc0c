import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TrackSummary } from '../../../src/tracks/api/operator-track-schemas.ts'
import { listTracks, ownerOf, type TrackFilter } from './list-tracks.ts'
import { applyFrame, applySummary, createLiveTracks } from './live-tracks.ts'
import { labelOf } from './runners.ts'

const apply = (...frame: Parameters<typeof applyFrame>) => void [...applyFrame(...frame)]

const trackOf = (title: string, more: Partial<TrackSummary> = {}): TrackSummary => ({
  id: title,
  name: title,
  title,
  activity_type: 'run',
  state: 'running',
  start_ts: '2026-05-03T06:00:00.000Z',
  end_ts: null,
  points_count: 0,
  last_point_at: null,
  updated_at: '2026-05-03T06:00:00.000Z',
  stats: null,
  device_track_id: `phone of ${title}`,
  user_id: null,
  ...more,
})
const live = createLiveTracks<TrackSummary>()
const listed = [trackOf('Bib 10'), trackOf('Bib 9', { user_id: 'Zoé' }), trackOf('Bib 1', { state: 'stopped' })]
for (const track of listed) applySummary(live, track)
const NOWHERE = { timeMs: null, latitude: null, longitude: null, heading: null }
const STANDING = { ...NOWHERE, state: 'running', speedMps: null, rank: null, details: 0, battery: null } as const
const FRAME = { number: 1, asOfMs: 0, delaySec: 0, leftOut: 0, isWhole: true }
apply(live, { ...FRAME, changed: listed.map(({ id, state }) => ({ ...STANDING, id, state })) }, 2)
const titles = (text: string, filter: TrackFilter = 'all') =>
  listTracks(live, { text, filter, language: 'en' }).map(({ track }) => track.title)

describe('the list of a live map', () => {
  test('has tracks in progress first, ordered by title and number', () => {
    assert.deepEqual(titles(''), ['Bib 9', 'Bib 10', 'Bib 1'])
  })

  test('has the tracks in progress, or those that are finished', () => {
    assert.deepEqual(titles('', 'live'), ['Bib 9', 'Bib 10'])
    assert.deepEqual(titles('', 'finished'), ['Bib 1'])
  })

  test('is searched by title, user and device, ignoring accents', () => {
    assert.deepEqual(titles('zoe'), ['Bib 9'])
    assert.deepEqual(titles('PHONE of bib 10'), ['Bib 10'])
    assert.deepEqual(titles('nobody'), [])
  })
})

test('the list of a race begins with those who may need help, and goes on by rank', () => {
  const race = createLiveTracks<TrackSummary>()
  const ranks = { Last: 4, Lost: 3, First: 1, Second: 2, Started: null }
  for (const title of Object.keys(ranks)) applySummary(race, trackOf(title))
  const changed = Object.entries(ranks).map(([id, rank]) => ({ ...STANDING, id, rank }))
  apply(race, { ...FRAME, changed }, 2)
  race.byId.get('Lost')!.status = 'astray'
  race.byId.get('First')!.status = 'stopped'

  const ids = listTracks(race, { language: 'en' }).map(({ track }) => track.id)

  assert.deepEqual(ids, ['Lost', 'First', 'Second', 'Last', 'Started'])
})

test('a track that nobody named is listed and found by the title that the page shows', () => {
  const unnamed = createLiveTracks<TrackSummary>()
  for (const title of ['Sortie du 3 mai à 08h00', 'Tour']) applySummary(unnamed, trackOf(title))
  const changed = [...unnamed.summaries.keys()].map((id) => ({ ...STANDING, id }))
  apply(unnamed, { ...FRAME, changed }, 2)
  const found = (text: string, language: string) =>
    listTracks(unnamed, { text, language }).map(({ track }) => labelOf(track, language))

  assert.deepEqual(found('', 'en-GB'), ['Tour', 'Track from 3 May, 08:00'])
  assert.deepEqual(found('', 'fr'), ['Sortie du 3 mai à 08h00', 'Tour'])
  assert.deepEqual(found('3 may', 'en-GB'), ['Track from 3 May, 08:00'])
  assert.deepEqual(found('sortie', 'en-GB'), ['Track from 3 May, 08:00'])
  assert.deepEqual(found('3 may', 'fr'), [])
})

describe('ownerOf', () => {
  test('returns the user, or else the device', () => {
    assert.equal(ownerOf(trackOf('Morning', { user_id: 'member 4' }), 'en'), 'member 4')
    assert.equal(ownerOf(trackOf('Morning', { device_track_id: 'phone-7' }), 'en'), 'phone-7')
  })

  test('returns nothing if the title already names the owner', () => {
    assert.equal(ownerOf(trackOf('Dossard 9', { user_id: 'dossard 9' }), 'en'), undefined)
    assert.equal(
      ownerOf({ ...trackOf('Morning', { user_id: 'member 4' }), bib: '9', runner_name: 'Anna' } as never, 'en'),
      undefined,
    )
  })
})
