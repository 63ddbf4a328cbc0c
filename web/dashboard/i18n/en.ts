import { access } from './en/administration/access.ts'
import { account } from './en/administration/account.ts'
import { audit } from './en/administration/audit.ts'
import { clock } from './en/administration/clock.ts'
import { erasures } from './en/administration/erasures.ts'
import { security } from './en/administration/security.ts'
import { errors } from './en/errors.ts'
import { events } from './en/events.ts'
import { figures } from './en/figures.ts'
import { imports } from './en/imports.ts'
import { library } from './en/library.ts'
import { live } from './en/live.ts'
import { map } from './en/map.ts'
import { phones } from './en/phones.ts'
import { publication } from './en/publication.ts'
import { race } from './en/race.ts'
import { replay } from './en/replay.ts'
import { shares } from './en/shares.ts'
import { shell } from './en/shell.ts'
import { statistics } from './en/statistics.ts'
import { tokens } from './en/tokens.ts'
import { track } from './en/track.ts'
import { tracks } from './en/tracks.ts'
import { uploads } from './en/uploads.ts'
import { webhooks } from './en/webhooks.ts'
import { workspaces } from './en/workspaces.ts'

/** Every text of the dashboard in English. i18next chooses between `_one` and `_other` by `count`. */
export const en = {
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
} as const

type WithoutForm<TextKey> = TextKey extends `${infer Base}_${'one' | 'other'}` ? Base : TextKey

/** The name of a text, without its plural form. */
export type Key = WithoutForm<keyof typeof en>
