import { existsSync } from 'node:fs'
import type { Installation } from '#platform/backup/kept-data.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { programVersion } from '#platform/build/program-version.ts'
import { readConfig, type Settings } from '#platform/config.ts'
import type { platformConfig } from '#platform/platform-config.ts'
import { readSecrets, type SecretSettings, secretPath } from '#platform/security/read-secrets.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { keptOperator } from './operator/backup/kept-operator.ts'
import { keptPublications } from './publications/backup/kept-publications.ts'
import { publicationsConfig } from './publications/config.ts'
import { keptTracks } from './tracks/backup/kept-tracks.ts'

/** Describes where an installation keeps its data, for backups. Opens and creates nothing. @throws ConfigError */
export function describeInstallation(
  platform: Settings<typeof platformConfig>,
  env: Record<string, string | undefined>,
): Installation {
  const { databaseUrl, dataDir, secretKey } = platform
  const { publications } = readConfig({ publications: publicationsConfig }, env)
  return {
    program: programVersion(packageJson.version),
    databaseUrl,
    dataDir,
    secrets: () => findSecrets(platform),
    hasSecretSetting: secretKey !== '',
    openBlobs: () => connectBlobs({ url: publications.blobsUrl, dataDir }),
    kept: [keptTracks, keptPublications, keptOperator],
    now: () => Date.now(),
    // Whoever watches sees the progress; a report by mail has the result alone.
    say: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`${line}\n`)
    },
  }
}

/** Returns the secrets without making one. */
function findSecrets(settings: SecretSettings): string[] {
  if (settings.secretKey === '' && !existsSync(secretPath(settings.dataDir))) return []
  return readSecrets(settings).map((secret) => secret.toString('utf8'))
}
