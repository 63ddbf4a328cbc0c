import type { KeyOf } from '../../../src/platform/basics/translate.ts'
import account from '../../locales/en/account.json' with { type: 'json' }
import audit from '../../locales/en/audit.json' with { type: 'json' }
import comparison from '../../locales/en/comparison.json' with { type: 'json' }
import erasures from '../../locales/en/erasures.json' with { type: 'json' }
import events from '../../locales/en/events.json' with { type: 'json' }
import library from '../../locales/en/library.json' with { type: 'json' }
import live from '../../locales/en/live.json' with { type: 'json' }
import map from '../../locales/en/map.json' with { type: 'json' }
import publication from '../../locales/en/publication.json' with { type: 'json' }
import race from '../../locales/en/race.json' with { type: 'json' }
import security from '../../locales/en/security.json' with { type: 'json' }
import shell from '../../locales/en/shell.json' with { type: 'json' }
import tokens from '../../locales/en/tokens.json' with { type: 'json' }
import tracks from '../../locales/en/tracks.json' with { type: 'json' }
import webhooks from '../../locales/en/webhooks.json' with { type: 'json' }

/** Every text of the dashboard in English. i18next chooses between `_one` and `_other` by `count`. */
export const en = {
  ...account,
  ...audit,
  ...comparison,
  ...erasures,
  ...events,
  ...library,
  ...live,
  ...map,
  ...publication,
  ...race,
  ...security,
  ...shell,
  ...tokens,
  ...tracks,
  ...webhooks,
}

/** The name of a text, without its plural form. */
export type Key = KeyOf<typeof en>
