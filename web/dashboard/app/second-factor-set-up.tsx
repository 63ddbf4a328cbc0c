import { Button, Container, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { PasskeysPanel } from '../access/passkeys-panel.tsx'
import { SecurityPanel } from '../access/security-panel.tsx'
import { Brand, ConnectionBanner } from '../components/page-frames.tsx'
import { Preferences } from '../components/preferences.tsx'
import { listSecondFactorsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { useSignOut } from './account-menu.tsx'

/**
 * Lets an operator set up the second factor that the server requires, and nothing
 * else. Recovery codes can be read in peace.
 */
export function SecondFactorSetUp({ onDone }: { onDone(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const factors = useQuery(listSecondFactorsOptions())
  const leave = useSignOut()
  const going = useMutation({
    // Requests of other pages have been refused before.
    mutationFn: () => client.invalidateQueries(),
    onSuccess: onDone,
  })
  return (
    <Container size={600} py={{ base: 'md', sm: 48 }}>
      <Group component="header" justify="space-between" mb="md">
        <Brand />
        <Group gap={4}>
          <Preferences />
        </Group>
      </Group>
      <Stack component="main" id="content">
        <ConnectionBanner />
        <PageTitle title={t('requiredFactor.title')} />
        <Text>{t('requiredFactor.help')}</Text>
        <SecurityPanel />
        <PasskeysPanel />
        <Group justify="space-between">
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
            {t('account.signOut')}
          </Button>
          {factors.data?.has_factor === true && (
            <Button loading={going.isPending} onClick={() => going.mutate()}>
              {t('requiredFactor.continue')}
            </Button>
          )}
        </Group>
      </Stack>
    </Container>
  )
}
