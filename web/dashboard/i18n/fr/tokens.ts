import type { TextsOf } from '../en/texts-of.ts'
import type { tokens as english } from '../en/tokens.ts'

/** App tokens. */
export const tokens: TextsOf<typeof english> = {
  'token.token': 'Jeton d’application',
  'token.server': 'Adresse du serveur',
  'token.qr': 'Code QR avec l’adresse du serveur et le jeton',
  'token.qrHelp': 'Scannez-le avec l’application pour définir l’adresse du serveur et le jeton.',
  'token.curlCreate': 'Pour essayer : démarrer une trace',
  'token.curlPoint': 'Envoyer un point',
  'token.curlFinish': 'Terminer la trace',

  'tokens.explanation':
    'Les applications utilisent un jeton pour envoyer des traces à cet événement et pour les lire. Donnez à chaque équipe son propre jeton : vous pourrez en révoquer un sans toucher aux autres.',
  'tokens.empty': 'Aucun jeton',
  'tokens.emptyHelp': 'Les applications ont besoin d’un jeton pour envoyer des traces à cet événement.',
  'tokens.new': 'Votre nouveau jeton',
  'tokens.create': 'Nouveau jeton',
  'tokens.createSubmit': 'Créer le jeton',
  'tokens.label': 'Libellé',
  'tokens.labelHelp': 'Facultatif. Vous aide à reconnaître le jeton.',
  'tokens.lastUsed': 'Dernière utilisation',
  'tokens.never': 'Jamais',
  'tokens.show': 'Afficher',
  'tokens.showThis': 'Afficher le jeton : {{name}}',
  'tokens.cannotShow':
    'Ce jeton a été créé avec un autre secret du serveur et ne peut pas être affiché. Il fonctionne toujours.',
  'tokens.revoke': 'Révoquer',
  'tokens.revokeThis': 'Révoquer le jeton : {{name}}',
  'tokens.revokeHelp':
    'Les applications qui l’utilisent sont refusées dès leur prochaine requête. Ce qu’elles ont envoyé reste.',
  'tokens.revokeLast': 'C’est le seul jeton de cet événement.',
  'tokens.revoked': 'Jeton révoqué',
  'tokens.rotate': 'Tout remplacer',
  'tokens.rotateHelp':
    'Un nouveau jeton remplace tous les autres. Gardez les anciens valables quelque temps, pour laisser aux téléphones le temps de changer.',
  'tokens.rotateSubmit': 'Remplacer les jetons',
  'tokens.overlap': 'Les anciens jetons expirent',

  'address.local': 'Aucun téléphone ne peut ouvrir cette adresse',
  'address.localHelp':
    'Elle mène à l’ordinateur qui l’ouvre. Réglez <code>{{setting}}</code> sur l’adresse sous laquelle les téléphones atteignent ce serveur, comme https://tracks.example.org, et <code>HOST</code> sur 0.0.0.0, sauf si un proxy tourne sur la même machine. Puis redémarrez.',
  'address.plain': 'Les téléphones refusent cette adresse : elle n’est pas chiffrée',
  'address.plainHelp':
    'Les applications n’envoient rien à une adresse en http, et n’importe qui sur le chemin pourrait la lire. Placez un proxy HTTPS devant ce serveur et réglez <code>{{setting}}</code> sur son adresse https.',
}
