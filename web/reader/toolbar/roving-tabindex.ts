/**
 * Makes the toolbar one tab stop with arrow keys inside (WAI-ARIA toolbar pattern); fields keep their own tab stops.
 */
export function addRovingTabindex(bar: HTMLElement): void {
  const tools = () => [...bar.querySelectorAll<HTMLElement>('button, a')]
  const visibleTools = () => tools().filter((tool) => tool.offsetParent !== null)
  const makeStop = (stop: HTMLElement | undefined) => {
    for (const tool of tools()) tool.tabIndex = tool === stop ? 0 : -1
  }
  makeStop(tools()[0])
  bar.addEventListener('focusin', ({ target }) => {
    if ((target as Element).matches('button, a')) makeStop(target as HTMLElement)
  })
  bar.addEventListener('keydown', (event) => {
    const visible = visibleTools()
    const at = visible.indexOf(event.target as HTMLElement)
    const last = visible.length - 1
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }
    const to = steps[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    visible[(to + visible.length) % visible.length].focus()
  })
}
