import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table.tsx'
import { type ErasureReceipt, erasuresQuery } from '../../api/administration/erasures.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { ErasureCreate } from './erasure-create.tsx'
import { useErasurePlace } from './use-erasure-place.ts'

/** Erases the data of people, and lists the receipts of all erasures. */
export function ErasuresPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const receipts = useInfiniteQuery(erasuresQuery)
  const [isErasing, setErasing] = useState(false)
  const close = () => setErasing(false)
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('erasures.title')} />
        <Button color="red" leftSection={<Eraser size={16} aria-hidden />} onClick={() => setErasing(true)}>
          {t('erasures.erase')}
        </Button>
      </Group>
      <Text c="dimmed" maw={720}>
        {t('erasures.explanation')}
      </Text>
      <Loaded query={receipts}>
        {({ pages }) => (
          <Stack>
            <Receipts receipts={pages.flatMap(({ erasures }) => erasures)} />
            {receipts.hasNextPage && (
              <Button
                variant="default"
                loading={receipts.isFetchingNextPage}
                onClick={() => void receipts.fetchNextPage()}
              >
                {t('erasures.more')}
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
      <Dialog title={t('erasures.erase')} opened={isErasing} onClose={close}>
        <ErasureCreate
          onErased={({ id }) => void navigate({ to: paths.erasure, params: { erasureId: id } })}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}

function Receipts({ receipts }: { receipts: readonly ErasureReceipt[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const placeOf = useErasurePlace()
  if (receipts.length === 0)
    return (
      <EmptyState icon={Eraser} title={t('erasures.empty')}>
        {t('erasures.emptyHelp')}
      </EmptyState>
    )
  const heads = [
    t('erasures.started'),
    t('erasures.kind'),
    t('erasures.where'),
    t('erasures.tracks'),
    t('erasures.points'),
  ]
  return (
    <StackedTable label={t('erasures.receipts')} heads={heads}>
      {receipts.map(({ id, kind, event_id, started_at, finished_at, erased }) => (
        <StackedRow key={id}>
          <StackedCell head={heads[0]}>
            <AnchorLink to={paths.erasure} params={{ erasureId: id }}>
              {format.dateTime(started_at)}
            </AnchorLink>
            {finished_at === null && ` · ${t('erasures.running')}`}
          </StackedCell>
          <StackedCell head={heads[1]}>{t(`erasures.of.${kind}`)}</StackedCell>
          <StackedCell head={heads[2]}>{placeOf(event_id)}</StackedCell>
          <StackedCell head={heads[3]}>{format.count(erased.tracks)}</StackedCell>
          <StackedCell head={heads[4]}>{format.count(erased.points)}</StackedCell>
        </StackedRow>
      ))}
    </StackedTable>
  )
}
