import type { InfiniteData } from '@tanstack/react-query'
import type { LibraryEntry, LibraryPage } from '../api/publications.ts'

export type LoadedLibrary = InfiniteData<LibraryPage, string | undefined>

/** Returns a library with an updated entry; the same library if the entry is not loaded. */
export function withEntry(library: LoadedLibrary, entry: LibraryEntry): LoadedLibrary {
  if (!findEntry(library, entry.id)) return library
  return mapPages(library, (page) => ({
    ...page,
    publications: page.publications.map((known) => (known.id === entry.id ? entry : known)),
  }))
}

/** Returns a library without a deleted entry. */
export function withoutEntry(library: LoadedLibrary, id: string): LoadedLibrary {
  if (!findEntry(library, id)) return library
  return mapPages(library, (page) => ({
    ...page,
    total: page.total - 1,
    publications: page.publications.filter((known) => known.id !== id),
  }))
}

/** Checks whether an entry may have moved in the list or between filters, so that the list has to be refetched. */
export function mayHaveMoved(library: LoadedLibrary, entry: LibraryEntry): boolean {
  const known = findEntry(library, entry.id)
  if (known === undefined) return true
  return (
    known.status !== entry.status ||
    known.title !== entry.title ||
    known.slug !== entry.slug ||
    (known.unpublished_at === null) !== (entry.unpublished_at === null)
  )
}

function findEntry(library: LoadedLibrary, id: string): LibraryEntry | undefined {
  for (const { publications } of library.pages) {
    const found = publications.find((known) => known.id === id)
    if (found !== undefined) return found
  }
  return undefined
}

function mapPages(library: LoadedLibrary, change: (page: LibraryPage) => LibraryPage): LoadedLibrary {
  return { ...library, pages: library.pages.map(change) }
}
