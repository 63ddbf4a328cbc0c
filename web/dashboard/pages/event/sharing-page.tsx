import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Plus, Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type Share, sharesQuery } from '../../api/shares.ts'
import { Dialog } from '../../components/dialog.tsx'
import { useNow } from '../../components/use-now.ts'
import { ShareCreate } from '../../events/share-create.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { routeIds } from '../../navigation/paths.ts'
import { ShareCard } from './share-card.tsx'

/** The links that let spectators watch an event or one of its tracks. */
export function SharingPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const shares = useQuery(sharesQuery(eventId))
  const [opened, { open, close }] = useDisclosure()
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('shares.explanation')}
        </Text>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          {t('shares.create')}
        </Button>
      </Group>
      <Loaded query={shares}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={Share2} title={t('shares.empty')}>
              {t('shares.emptyHelp')}
            </EmptyState>
          ) : (
            <ShareCards eventId={eventId} shares={list} />
          )
        }
      </Loaded>
      <Dialog title={t('shares.create')} opened={opened} onClose={close}>
        <ShareCreate eventId={eventId} onDone={close} />
      </Dialog>
    </Stack>
  )
}

function ShareCards({ eventId, shares }: { eventId: string; shares: Share[] }) {
  const nowMs = useNow(60_000)
  return (
    <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {shares.map((share) => (
        <ShareCard key={share.id} eventId={eventId} share={share} nowMs={nowMs} />
      ))}
    </Stack>
  )
}
