import { readShare } from './share.ts'
import { loadTab } from './tabs.ts'

// The page is complete without this script. What it needs is requested at once, and only now: the text was first.
const share = readShare()
const [{ start }, { Tab }] = await Promise.all([import('./start.tsx'), loadTab(share)])
await start(share, Tab)
