// node scripts/store-release.ts [<folder>] : stores a small installation of this version, on both engines, in
// test/data/releases or in another folder. Later versions are upgraded from it in tests. Part of npm run release.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '#project/package.json' with { type: 'json' }
import { ownerWithEnd } from '../test/durability/faults/fault-installation.ts'
import { databases } from '../test/support/databases.ts'
import { RELEASES } from '../test/support/releases/release-archive.ts'
import { storeInstallation } from '../test/support/releases/store-installation.ts'

const ENGINE_OF = { SQLite: 'sqlite', PostgreSQL: 'postgres', Citus: 'citus' } as const

const [folder = RELEASES] = process.argv.slice(2)
const owner = ownerWithEnd()
try {
  for (const database of databases) {
    const file = join(folder, packageJson.version, `${ENGINE_OF[database.name]}.zip`)
    const { exchanges } = await storeInstallation(owner, database, file)
    process.stdout.write(`${file}: ${exchanges.length} answers, ${Math.round(statSync(file).size / 1000)} kB\n`)
  }
} finally {
  await owner.end()
}
