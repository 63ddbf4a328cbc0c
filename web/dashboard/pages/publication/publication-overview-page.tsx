import { Grid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { pagesQuery, publicationQuery } from '../../api/publications.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { routeIds } from '../../navigation/paths.ts'
import { Facts } from './facts.tsx'
import { Findings } from './findings.tsx'
import { PagePreview } from './page-preview.tsx'
import { PageStrip } from './page-strip.tsx'
import { Sharing } from './sharing.tsx'

/** The pages of a publication, its addresses, and the facts about its file. */
export function PublicationOverviewPage() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery(publicationQuery(publicationId))
  const pages = useQuery(pagesQuery(publicationId))
  const [shownPage, setShownPage] = useState<number>()
  return (
    <>
      <Loaded query={pages}>
        {(list) => (
          <>
            <PageStrip pages={list} onPage={setShownPage} />
            <PagePreview pages={list} page={shownPage} onPage={setShownPage} />
          </>
        )}
      </Loaded>
      <Loaded query={publication}>
        {(found) => (
          <Grid>
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Sharing publication={found} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack>
                <Findings publication={found} onPage={setShownPage} />
                <Facts publication={found} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </>
  )
}
