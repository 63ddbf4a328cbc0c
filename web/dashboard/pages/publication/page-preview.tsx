import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OperatorPage } from '../../api/publications.ts'
import { useFormat } from '../../i18n/format.ts'
import { PageImage } from '../../publications/page-image.tsx'
import { usePageName } from './use-page-name.ts'

type PagePreviewProps = {
  pages: OperatorPage[]
  page: number | undefined
  onPage(page: number | undefined): void
}

/** One page in large, with its state. */
export function PagePreview({ pages, page, onPage }: PagePreviewProps) {
  const { t } = useTranslation()
  const words = usePageName()
  const shown = page === undefined ? undefined : pages[page - 1]
  return (
    <Modal
      opened={shown !== undefined}
      onClose={() => onPage(undefined)}
      title={shown && words(shown)}
      size="xl"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {shown !== undefined && (
        <Stack>
          <div className="page-preview">
            <PageImage address={shown.image} alt={words(shown)} isThere={shown.state !== 'waiting'} eager />
          </div>
          <Text size="sm" role="status">
            <PageState page={shown} />
          </Text>
          {pages.length > 1 && (
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Button
                px="sm"
                variant="default"
                leftSection={<ChevronLeft size={16} aria-hidden />}
                disabled={shown.page === 1}
                onClick={() => onPage(shown.page - 1)}
              >
                {t('pages.before')}
              </Button>
              <Button
                px="sm"
                variant="default"
                rightSection={<ChevronRight size={16} aria-hidden />}
                disabled={shown.page === pages.length}
                onClick={() => onPage(shown.page + 1)}
              >
                {t('pages.next')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Modal>
  )
}

function PageState({ page: { state, text_length: length } }: { page: OperatorPage }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state === 'waiting') return t('pages.waiting')
  if (state === 'failed') return t('pages.failed')
  if (length === null || length === 0) return t('pages.noText')
  return t('pages.text', { count: length, figure: format.count(length) })
}
