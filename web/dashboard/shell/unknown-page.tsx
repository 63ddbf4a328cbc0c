import { NotFound } from '../feedback/not-found.tsx'
import { OutsidePage } from './outside-page.tsx'

/** The page for addresses that no route matches. */
export function UnknownPage() {
  return (
    <OutsidePage>
      <NotFound />
    </OutsidePage>
  )
}
