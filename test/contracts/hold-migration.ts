import { sql } from 'kysely'
import { migrate } from '#platform/database/migrate.ts'
import { connectDatabase } from '#platform/database/open-database.ts'

// A program that is killed within a migration: node hold-migration.ts <address as
// JSON>. It changes half, says so and waits.

const address = JSON.parse(process.argv[2]) as { url: string; dataDir: string }
const database = await connectDatabase({ ...address, name: 'test' })
await migrate(database, {
  '0001-first': { up: async () => {} },
  '0002-second': {
    async up(db) {
      await sql`update steps set step = 'half'`.execute(db)
      await sql`alter table steps add column further text`.execute(db)
      await sql`create table others (id text)`.execute(db)
      process.stdout.write('half\n')
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await sql`insert into steps (step) values ('more')`.execute(db)
      }
    },
  },
})
