import { SliceSearch, type SliceTask } from './slice-search.ts'

// The thread that searches, so that a long document delays no other request.

const slices = new SliceSearch()

export function searchSlice(task: SliceTask) {
  return slices.search(task)
}
