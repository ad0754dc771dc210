// What the fixture of nova 26 gives the scheduler, with a user that can only read.
import { NovaDatabases } from '../../../test/nova/nova-databases';
import { testDatabaseKinds } from '../../../test/support/databases';
import { readerOf } from './facts.fixture';

const onMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;

onMysql('the fixture of nova 26', () => {
  it('loads', async () => {
    const databases = await NovaDatabases.load();
    const facts = readerOf(databases);
    await facts.start();
    console.log(JSON.stringify(facts.changesSince(0), null, 1).slice(0, 3000), facts.status());
    await facts.stop();
    await databases.drop();
  });
});
