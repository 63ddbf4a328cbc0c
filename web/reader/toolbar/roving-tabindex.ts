/** One stop for the tabulator, arrows within, as toolbars have it (WAI-ARIA authoring practices); fields keep theirs. */
export function moveByArrows(bar: HTMLElement): void {
  const all = () => [...bar.querySelectorAll<HTMLElement>('button, a')]
  const seen = () => all().filter((tool) => tool.offsetParent !== null)
  const makeStop = (stop: HTMLElement | undefined) => {
    for (const tool of all()) tool.tabIndex = tool === stop ? 0 : -1
  }
  makeStop(all()[0])
  bar.addEventListener('focusin', ({ target }) => {
    if ((target as Element).matches('button, a')) makeStop(target as HTMLElement)
  })
  bar.addEventListener('keydown', (event) => {
    const tools = seen()
    const at = tools.indexOf(event.target as HTMLElement)
    const last = tools.length - 1
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }
    const to = steps[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    tools[(to + tools.length) % tools.length].focus()
  })
}
