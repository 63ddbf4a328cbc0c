import type { HttpServer } from '#platform/http/http-server.ts'
import type { MapPages } from '#platform/http/server/map-pages.ts'
import { shareNotFound } from '../errors.ts'
import { limitSpectators } from '../share-api/limit-spectators.ts'
import type { ShareDeps } from '../share-api/open-share.ts'
import { answerAsPages } from './answer-as-pages.ts'
import { findBuiltPages, serveBuiltPages } from './assets/built-pages.ts'
import { forwardOldLinks } from './forward-old-links.ts'
import { showSharePage } from './show-share-page.ts'
import { createShownTracks } from './shown-tracks/shown-tracks.ts'
import { mapTab } from './tabs/map-tab.ts'
import { replayTab } from './tabs/replay-tab.ts'
import { resultsTab } from './tabs/results-tab.ts'

type Deps = ShareDeps &
  Parameters<typeof limitSpectators>[1] &
  Parameters<typeof resultsTab>[0] &
  Parameters<typeof createShownTracks>[0] & { titleTimeZone: string; mapPages: MapPages }

/** Registers the pages of share links. The order of the tabs is that on the page. */
export function sharePages(server: HttpServer, deps: Deps): void {
  const built = findBuiltPages()
  const tabs = [mapTab({ findShownTracks: createShownTracks(deps) }), resultsTab(deps), replayTab()]
  serveBuiltPages(server, built)
  void server.register(async (app: HttpServer) => {
    limitSpectators(app, deps, 'share pages')
    answerAsPages(app, deps)
    showSharePage(app, { ...deps, built, tabs })
    forwardOldLinks(app, { ...deps, built })
    // Mistyped addresses are answered with a page as well.
    app.get('/s/*', { schema: { hide: true } }, async () => {
      throw shareNotFound()
    })
  })
}
