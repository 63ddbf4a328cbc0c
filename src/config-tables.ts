import { platformConfig } from '#platform/platform-config.ts'
import { tracingConfig } from '#platform/tracing/tracing-config.ts'
import { operatorConfig } from './operator/config.ts'
import { publicationsConfig } from './publications/config.ts'
import { tracksConfig } from './tracks/config.ts'

/** The settings of every part of the process, to be read all at once. */
export const configTables = {
  platform: platformConfig,
  tracing: tracingConfig,
  tracks: tracksConfig,
  publications: publicationsConfig,
  operator: operatorConfig,
}
