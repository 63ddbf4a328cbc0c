import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { BinTable, EmptyBin } from '../components/bin-table.tsx'
import { Loaded } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorListBinnedPublicationsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { PublicationBin } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** Lists the publications of a workspace that operators have deleted and can restore. */
export function WorkspaceBinPage() {
  const { canEdit } = useRights()
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const bin = useQuery({
    ...operatorListBinnedPublicationsOptions({ path: { id: workspaceId } }),
    enabled: canEdit,
    staleTime: 0,
  })
  if (!canEdit) return <NotAllowed />
  return <Loaded query={bin}>{(found) => <Contents {...found} />}</Loaded>
}

function Contents({ days, publications }: PublicationBin) {
  const { t } = useTranslation()
  const format = useFormat()
  if (publications.length === 0) return <EmptyBin days={days} />
  const things = publications.map(({ title, slug, page_count: count, ...times }) => ({
    ...times,
    name: title,
    about: [slug, t('publication.pages', { count, figure: format.count(count) })].join(' · '),
  }))
  return (
    <Stack>
      <Text c="dimmed" maw={720}>
        {t('bin.help', { count: days })}
      </Text>
      <BinTable title={t('bin.title')} kind="publication" things={things} canChange />
    </Stack>
  )
}
