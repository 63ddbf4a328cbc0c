import { Button, Container, Stack, Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/page-title.tsx'

/** Replaces a page that failed to render. Nothing is lost, because pages keep no data. */
export function PageFailed({ reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <PageTitle title={t('failed.title')} />
        <Text>{t('failed.explanation')}</Text>
        <Button onClick={reset}>{t('action.retry')}</Button>
      </Stack>
    </Container>
  )
}
