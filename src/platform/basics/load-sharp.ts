import type sharp from 'sharp'

let loading: Promise<typeof sharp> | undefined

/** Loads the library that decodes and encodes images when it is first needed: it takes 9 MiB, and 60 ms of a start. */
export async function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    // One core for each image: pages are many, and more than one core for one of them takes it from the others.
    loaded.concurrency(1)
    // Every image is seen once.
    loaded.cache(false)
    return loaded
  })
  return await loading
}
