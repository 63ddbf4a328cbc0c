import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useRights } from '../../access/rights.tsx'
import { settingsQuery } from '../../api/settings.ts'
import { LoadedPage } from '../../feedback/loaded-page.tsx'
import { paths } from '../../navigation/paths.ts'
import { sectionsOf } from '../../navigation/sections.ts'

/** Redirects to the first section of the services that run. */
export function HomePage() {
  const settings = useQuery(settingsQuery)
  const rights = useRights()
  return (
    <LoadedPage query={settings}>
      {({ services }) => <Navigate to={sectionsOf(services, rights)[0]?.to ?? paths.account} replace />}
    </LoadedPage>
  )
}
