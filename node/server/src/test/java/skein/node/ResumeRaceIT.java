package skein.node;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class ResumeRaceIT {
  @Test
  void of_many_who_resume_an_instance_at_once_one_does(TestCluster cluster) {
    new ResumeRace(cluster, "resume race", true).run();
  }
}
