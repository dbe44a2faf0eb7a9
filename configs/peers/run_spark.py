# SPDX-License-Identifier: Apache-2.0
"""Spark's ALS in local mode. The ratings are in memory before the clock starts; the factors are there when it stops."""

import numpy
from peer_adapter import Clock, Job, write
from pyspark.ml.recommendation import ALS
from pyspark.sql import SparkSession


def matrix(frame, rows, rank):
    """Rows without ratings are missing in the frame; they are zero."""
    factors = numpy.zeros((rows, rank), numpy.float32)
    for row in frame.toLocalIterator():
        factors[row.id] = row.features
    return factors


job = Job()
spark = (
    SparkSession.builder.master(f"local[{job.threads}]")
    .config("spark.driver.memory", job.memory)
    .config("spark.ui.enabled", "false")
    .config("spark.local.dir", ".")
    .config("spark.sql.warehouse.dir", "warehouse")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
spark.sparkContext.setCheckpointDir("checkpoints")  # without one, the plan of 30 iterations overflows the stack
ratings = spark.read.csv(job.train, sep=" ", schema="user INT, item INT, rating FLOAT").cache()
ratings.count()
als = ALS(
    rank=job.rank,
    maxIter=job.iterations,
    regParam=getattr(job, "lambda"),
    userCol="user",
    itemCol="item",
    ratingCol="rating",
    seed=job.seed,
    numUserBlocks=job.blocks,
    numItemBlocks=job.blocks,
)
with Clock():
    model = als.fit(ratings)
    model.userFactors.count()
    model.itemFactors.count()
write(matrix(model.userFactors, job.users, job.rank), matrix(model.itemFactors, job.items, job.rank))
spark.stop()
