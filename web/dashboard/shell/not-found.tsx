import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from './links.tsx'

/** In the place of a page that there is not. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Stack align="flex-start" p="md">
      <PageTitle title={t('notFound.title')} />
      <Text>{t('error.notFound')}</Text>
      <ButtonLink to={paths.events}>{t('nav.events')}</ButtonLink>
    </Stack>
  )
}
