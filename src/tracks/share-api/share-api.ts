import type { HttpServer } from '#platform/http/http-server.ts'
import { allowCrossOrigin } from '#platform/http/server/cross-origin.ts'
import { tellDamage } from '../damage/tell-damage.ts'
import { getResults, getSharedResults } from './get-results.ts'
import { getShare } from './get-share.ts'
import { getSharedCourse } from './get-shared-course.ts'
import { getSharedRanking } from './get-shared-ranking.ts'
import { getSharedReplay } from './get-shared-replay.ts'
import { getSharedSeries } from './get-shared-series.ts'
import { getSharedSplits } from './get-shared-splits.ts'
import { limitSpectators } from './limit-spectators.ts'
import { listSharedTracks } from './list-shared-tracks.ts'
import { watchShare } from './watch-share.ts'

type Deps = Parameters<typeof limitSpectators>[1] &
  Parameters<typeof tellDamage>[1] &
  Parameters<typeof listSharedTracks>[1] &
  Parameters<typeof getShare>[1] &
  Parameters<typeof watchShare>[1] &
  Parameters<typeof getSharedSeries>[1] &
  Parameters<typeof getSharedReplay>[1] &
  Parameters<typeof getSharedCourse>[1] &
  Parameters<typeof getSharedRanking>[1]

/**
 * Registers what spectators with a share link may read. Each client address has its own request allowance. Pages of
 * other sites may read it too: whoever has the link may show it.
 */
export function shareApi(app: HttpServer, server: HttpServer, deps: Deps): void {
  allowCrossOrigin(app, server)
  tellDamage(app, deps, 'spectators')
  limitSpectators(app, deps, 'share links')
  const routes = [getShare, listSharedTracks, watchShare, getSharedSeries, getSharedSplits, getSharedReplay]
  for (const route of routes) route(app, deps)
  for (const route of [getSharedCourse, getSharedRanking, getSharedResults]) route(app, deps)
}

/** Registers the results, which programs and pages of other sites read with a token. */
export function resultsApi(
  app: HttpServer,
  server: HttpServer,
  deps: Parameters<typeof limitSpectators>[1] & Parameters<typeof getResults>[1],
): void {
  allowCrossOrigin(app, server)
  limitSpectators(app, deps, 'results')
  getResults(app, deps)
}
