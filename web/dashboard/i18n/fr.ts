import type { TextsOf } from './en/texts-of.ts'
import type { en } from './en.ts'
import { access } from './fr/administration/access.ts'
import { account } from './fr/administration/account.ts'
import { audit } from './fr/administration/audit.ts'
import { clock } from './fr/administration/clock.ts'
import { erasures } from './fr/administration/erasures.ts'
import { security } from './fr/administration/security.ts'
import { errors } from './fr/errors.ts'
import { events } from './fr/events.ts'
import { figures } from './fr/figures.ts'
import { imports } from './fr/imports.ts'
import { library } from './fr/library.ts'
import { live } from './fr/live.ts'
import { map } from './fr/map.ts'
import { phones } from './fr/phones.ts'
import { publication } from './fr/publication.ts'
import { race } from './fr/race.ts'
import { replay } from './fr/replay.ts'
import { shares } from './fr/shares.ts'
import { shell } from './fr/shell.ts'
import { statistics } from './fr/statistics.ts'
import { tokens } from './fr/tokens.ts'
import { track } from './fr/track.ts'
import { tracks } from './fr/tracks.ts'
import { uploads } from './fr/uploads.ts'
import { webhooks } from './fr/webhooks.ts'
import { workspaces } from './fr/workspaces.ts'

/** Every text of the dashboard in French. */
export const fr: TextsOf<typeof en> = {
  ...shell,
  ...errors,
  ...clock,
  ...erasures,
  ...account,
  ...access,
  ...audit,
  ...security,
  ...events,
  ...tokens,
  ...phones,
  ...shares,
  ...live,
  ...map,
  ...race,
  ...replay,
  ...tracks,
  ...track,
  ...imports,
  ...statistics,
  ...webhooks,
  ...workspaces,
  ...library,
  ...uploads,
  ...publication,
  ...figures,
}
