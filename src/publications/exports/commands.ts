import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type Command, requireArgument, UsageError } from '#platform/basics/command.ts'
import { readConfig } from '#platform/basics/config.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import type { Database } from '#platform/database/database.ts'
import { writeArchive } from '#platform/http/zip-archive.ts'
import { publicationsConfig } from '../model/config.ts'
import { createFacesStore } from '../model/faces-store.ts'
import { createFilesStore } from '../model/files-store.ts'
import { createPagesStore, createPageTextsStore } from '../model/pages-store.ts'
import { createPublicPageStore } from '../model/public-page-store.ts'
import type { PublicationsTables } from '../model/tables.ts'
import { readAssets } from '../public-pages/assets.ts'
import { offlineFolder } from './offline-folder.ts'

/** Settings of the installation. */
type Installation = { baseUrl: string; port: number; dataDir: string; env: NodeJS.ProcessEnv }

/** Creates the admin command that exports a publication. */
export function exportCommand(
  { db }: Database<PublicationsTables>,
  installation: Installation,
  now: () => number,
): Command {
  const command: Command = {
    usage: 'publications export <slug> <file.zip> [--base-url https://archive.example.org/annual-report]',
    doc: 'Writes a publication as a folder that opens without a server, with its reader, search and PDF. With the address at which the folder will be served, it has a IIIF manifest of its own.',
    isReadOnly: true,
    async run(args, { 'base-url': baseUrl }) {
      const slug = requireArgument(args, 0, command)
      const file = requireArgument(args, 1, command)
      if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
        throw new UsageError(`${JSON.stringify(baseUrl)} is not an address such as https://archive.example.org/report`)
      const { publications: config } = readConfig({ publications: publicationsConfig }, installation.env)
      const blobs = await connectBlobs({ url: config.blobsUrl, dataDir: installation.dataDir })
      try {
        const deps = {
          blobs,
          addresses: addressesOf(installation, config),
          files: createFilesStore(db, now),
          publicPages: createPublicPageStore(db, now),
          pages: createPagesStore(db),
          pageTexts: createPageTextsStore(db),
          faces: createFacesStore(db),
          pageAssets: readAssets(),
        }
        await writeWhole(file, writeArchive(await offlineFolder(deps, slug, baseUrl)))
      } finally {
        await blobs.close()
      }
      return { slug, file }
    },
  }
  return command
}

function addressesOf({ baseUrl, port }: Installation, { publicUrl, cdnUrl }: { publicUrl: string; cdnUrl: string }) {
  const base = baseUrl || `http://localhost:${port}`
  return { base: () => base, public: () => publicUrl || base, cdn: () => cdnUrl || base }
}

/** Writes a file under another name until it is complete, so that no half of it is taken for the whole. */
async function writeWhole(file: string, content: NodeJS.ReadableStream): Promise<void> {
  const unfinished = `${file}.unfinished`
  try {
    await pipeline(content, createWriteStream(unfinished))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
