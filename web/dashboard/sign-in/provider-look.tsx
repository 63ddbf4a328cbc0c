import { LogIn } from 'lucide-react'

/** Look of what leads to the identity provider. Texts from the settings may need two lines on a phone. */
export const PROVIDER_LOOK = {
  variant: 'default',
  h: 'auto',
  mih: 36,
  py: 6,
  // As high as a button beside it, with one line.
  styles: { label: { whiteSpace: 'normal', lineHeight: '22px' } },
  leftSection: <LogIn size={18} aria-hidden />,
} as const
