import { type Html, html } from '#platform/http/server/html.ts'
import type { RankingEntry } from '../../schemas/race.ts'
import { type RankingDeps, sharedRanking } from '../../share-api/shared-ranking.ts'
import type { RaceStore } from '../../storage/race/race-store.ts'
import { asOfLine } from '../html/as-of-line.ts'
import type { ShareTab, TabPage } from '../html/share-tab.ts'

type Deps = RankingDeps & { races: Pick<RaceStore, 'findSummary'> }

/** Rows of the table; the script shows all of them, and so does the CSV file. */
const MAX_ROWS = 200

/** Creates the tab with the ranking of an event that has a course, as a table. */
export function resultsTab(deps: Deps): ShareTab {
  return {
    name: 'results',
    path: '/results',
    async isOffered({ event_id, track_id }) {
      return track_id === null && (await deps.races.findSummary(event_id)).course_length_m !== null
    },
    async content(page) {
      const ranking = await sharedRanking(deps, page.share)
      const { texts, formats } = page
      const heads = [texts.place, texts.bib, texts.name, texts.category, texts.lastCheckpoint, texts.time, texts.gap]
      const { entries } = ranking
      return html`${asOfLine(page, Date.parse(ranking.as_of))}
${entries.length > MAX_ROWS && html`<p>${texts.firstOf(formats.count(MAX_ROWS), formats.count(entries.length))}</p>`}
<div class="results" role="region" aria-label="${texts.tabs.results}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${entries.slice(0, MAX_ROWS).map((entry) => row(page, entry))}</tbody>
</table></div>`
    },
  }
}

function row({ texts, formats }: TabPage, entry: RankingEntry): Html {
  const { rank, bib, name, category, status, state, last_checkpoint, gap_sec } = entry
  const sec = entry.finish_sec ?? entry.passings.at(-1)?.elapsed_sec ?? null
  const stage = status !== null ? texts.statuses[status] : (last_checkpoint?.name ?? texts.stages[state])
  const cells = [
    bib ?? '–',
    html`<span dir="auto">${name}</span>`,
    category ?? '–',
    stage,
    sec === null ? '–' : formats.duration(sec),
    gap_sec === null || gap_sec === 0 ? '–' : `+${formats.duration(gap_sec)}`,
  ]
  return html`<tr><td>${rank === null ? '–' : formats.count(rank)}</td>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`
}
